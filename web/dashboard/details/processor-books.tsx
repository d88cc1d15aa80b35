import { numberOf, type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { OPEN_KINDS, stateOfReport } from '../payments/report-state.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Part } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

const SHOWN_MAX = 20;

/** How the processor's books and ours compare, newest first. */
export function Books({ id }: { id: string }) {
  const { t } = useLocale();
  const read = useRead<Row>(`/v0/processors/${encodeURIComponent(id)}/reports/list`, { query: 'take=7' });
  const reports = rowsOf(read.data, 'reports');
  return (
    <Part id="books" title={t('books.title')}>
      {read.data && reports.length === 0 ? <p className="soft">{t('books.none')}</p> : null}
      <ul className="row-list">
        {reports.map((report) => (
          <Report key={textOf(report, 'id')} report={report} />
        ))}
      </ul>
    </Part>
  );
}

function Report({ report }: { report: Row }) {
  const { t, money } = useLocale();
  const tools = useTools();
  const state = stateOfReport(report);
  return (
    <li>
      <Stamp status={state} tools={tools} names="books." />
      <Time ms={numberOf(report, 'createdAt')} tools={tools} />
      {rowsOf(report, 'sums').map((sum) => {
        const currency = textOf(sum, 'currency');
        const [ours, theirs] = [numberOf(sum, 'ours') ?? 0, numberOf(sum, 'theirs') ?? 0];
        const values = { ours: money(ours, currency), theirs: money(theirs, currency) };
        return (
          <span key={currency} className={ours === theirs ? 'soft' : undefined}>
            {t('books.sums', values)}
          </span>
        );
      })}
      {state === 'open' ? (
        <>
          <Findings rows={rowsOf(report, 'rows')} />
          <DialogButton
            dialog="acknowledge-report"
            row={report}
            label="acknowledgeReport.title"
            area="processors"
          />
        </>
      ) : null}
      {textOf(report, 'note') ? <span className="soft">{textOf(report, 'note')}</span> : null}
    </li>
  );
}

function Findings({ rows }: { rows: readonly Row[] }) {
  const { tName, money } = useLocale();
  const open = rows.filter((row) => OPEN_KINDS.some((kind) => kind === textOf(row, 'kind')));
  const amount = (row: Row, name: string) => {
    const minor = numberOf(row, name);
    return minor === null ? '–' : money(minor, textOf(row, 'currency'));
  };
  return (
    <ul>
      {open.slice(0, SHOWN_MAX).map((row) => (
        <li key={`${textOf(row, 'kind')} ${textOf(row, 'processorId')} ${textOf(row, 'chargeId')}`}>
          {tName('finding.', textOf(row, 'kind'))}{' '}
          <span className="code-text">{textOf(row, 'processorId') || textOf(row, 'chargeId')}</span>{' '}
          {amount(row, 'ours')} / {amount(row, 'theirs')}
        </li>
      ))}
    </ul>
  );
}
