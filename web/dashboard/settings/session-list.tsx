/** Where the account is signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiError, call } from '../api/client.ts';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useTools } from '../details/tools.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { toDevice } from './device-name.ts';
import { tellFailure } from './tell-failure.ts';

const LIST = '/v0/sessions/list';
const KEY = ['account', LIST];

export function Sessions() {
  const { t, tName } = useLocale();
  const tools = useTools();
  const client = useQueryClient();
  const read = useQuery<{ sessions: Row[] }, ApiError>({
    queryKey: KEY,
    queryFn: ({ signal }) => call({ store: null, path: LIST, signal }),
  });
  const end = async (path: string) => {
    await call({ method: 'DELETE', store: null, path }).catch(tellFailure);
    await client.invalidateQueries({ queryKey: KEY });
  };
  if (read.isError) return <Failure error={read.error} retry={() => void read.refetch()} />;
  const sessions = read.data?.sessions ?? [];
  return (
    <>
      <ul className="row-list session-list">
        {sessions.map((one) => {
          const device = toDevice(textOf(one, 'device')) || t('account.unknownDevice');
          return (
            <li key={textOf(one, 'id')}>
              <strong title={textOf(one, 'device')}>{device}</strong>
              <span className="code-text">{textOf(one, 'ipAddress')}</span>
              <span>
                {tName('method.', textOf(one, 'method'))}
                {one.twoFactor === true ? ` · ${t('account.twoSteps')}` : ''}
              </span>
              <span className="soft">
                {t('account.lastUsed')} <Time ms={numberOf(one, 'lastUsedAt')} tools={tools} />
              </span>
              {one.current === true ? (
                <span className="push">
                  <Stamp status="this_session" tools={tools} />
                </span>
              ) : (
                <button
                  type="button"
                  className="quiet-button push"
                  aria-label={t('account.endOf', { device })}
                  onClick={() => void end(`/v0/sessions/${textOf(one, 'id')}/revoke`)}
                >
                  {t('account.endSession')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 ? (
        <button type="button" className="plain-button" onClick={() => void end('/v0/sessions/revokeOthers')}>
          {t('account.endOthers')}
        </button>
      ) : null}
    </>
  );
}
