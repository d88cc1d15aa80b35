/** A span of days, open where it has no beginning or end. */
import type { CellTools } from '../lists/types.ts';
import { Nothing, Time } from './cells.tsx';

export function Days({
  from,
  until,
  tools,
}: {
  from: number | null;
  until: number | null;
  tools: CellTools;
}) {
  if (from === null && until === null) return <Nothing />;
  const { t } = tools.locale;
  if (until === null)
    return (
      <span>
        {t('days.from')} <Time ms={from} tools={tools} isDay />
      </span>
    );
  return (
    <span>
      {from === null ? (
        t('days.until')
      ) : (
        <>
          <Time ms={from} tools={tools} isDay /> –
        </>
      )}{' '}
      <Time ms={until} tools={tools} isDay />
    </span>
  );
}
