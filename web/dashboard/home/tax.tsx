/** Tax: where the seller is registered, how near others come, the rates, and what was taken. */

import { Link, useLocation, useSearch } from 'wouter';
import { COUNTRIES } from '../../ui/countries.ts';
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Paging, toPageOf } from '../lists/paging.tsx';
import { toOperationQuery } from '../lists/query.ts';
import { Amount } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useTitle } from '../ui/use-title.ts';
import { useSpan } from './span.ts';
import { Table } from './table.tsx';

const TABS = ['registrations', 'thresholds', 'rates', 'summary'] as const;
type Tab = (typeof TABS)[number];

/** Where the seller is registered stands in the settings, and what was sold is a figure: not everybody's to read. */
const AREAS: Record<Tab, string> = {
  registrations: 'settings',
  thresholds: 'reports',
  rates: 'tax',
  summary: 'reports',
};

export default function Tax() {
  const { t } = useLocale();
  useTitle(t('tax.title'));
  const { may } = useStore();
  const [location, navigate] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get('tab');
  const tabs = TABS.filter((tab) => may(AREAS[tab]));
  const tab = tabs.find((one) => one === wanted) ?? tabs[0] ?? 'rates';
  const go = (next: Tab) =>
    navigate(next === tabs[0] ? location : `${location}?tab=${next}`, { replace: true });
  return (
    <section className="sheet list-screen" aria-labelledby="tax-title">
      <div className="sheet-head">
        <h1 id="tax-title">{t('tax.title')}</h1>
      </div>
      <Tabs
        id="tab"
        label={t('tax.title')}
        tabs={tabs}
        open={tab}
        toName={(one) => t(`tax.${one}`)}
        onOpen={go}
      >
        {tab === 'registrations' ? <Registrations /> : null}
        {tab === 'thresholds' ? <Thresholds /> : null}
        {tab === 'rates' ? <Rates /> : null}
        {tab === 'summary' ? <Summary /> : null}
      </Tabs>
    </section>
  );
}

function Registrations() {
  const { t, countryName } = useLocale();
  const read = useRead<{ settings: Row }>('/v0/settings');
  if (read.data && rowsOf(read.data.settings, 'registrations').length === 0) {
    return (
      <p className="empty-text soft">
        {t('tax.noRegistrations')} <Link href="/settings/tax">{t('settings.tax')}</Link>
      </p>
    );
  }
  return (
    <Table
      title={t('tax.registrations')}
      names={[t('column.country'), t('tax.region'), t('column.number')]}
      error={read.error}
      rows={rowsOf(read.data?.settings, 'registrations').map((row) => [
        countryName(textOf(row, 'country')),
        textOf(row, 'region'),
        textOf(row, 'number'),
      ])}
    />
  );
}

function Thresholds() {
  const locale = useLocale();
  const { t } = locale;
  const { zone } = useStore();
  const read = useRead<Row>('/v0/tax/thresholds');
  const tools = { locale, zone };
  return (
    <>
      <p className="soft">{t('tax.thresholdsHint')}</p>
      <Table
        title={t('tax.thresholds')}
        names={[
          t('tax.scheme'),
          t('tax.threshold'),
          t('tax.since'),
          t('tax.sales'),
          t('tax.reached'),
          t('tax.source'),
        ]}
        error={read.error}
        rows={rowsOf(read.data, 'thresholds').map((row) => [
          <span key="name">
            {textOf(row, 'name')}
            {row.applies === true ? null : <small className="soft"> {t('tax.notYours')}</small>}
          </span>,
          <Amount key="amount" minor={Number(row.amount)} currency={textOf(row, 'currency')} tools={tools} />,
          toDate(row.validFrom),
          <span key="sales" className="stack">
            {rowsOf(row, 'sales').map((sale) => (
              <Amount
                key={textOf(sale, 'currency')}
                minor={Number(sale.amount)}
                currency={textOf(sale, 'currency')}
                tools={tools}
              />
            ))}
          </span>,
          typeof row.ratio === 'number' ? locale.percentage(Math.round(row.ratio * 1000) / 10) : '–',
          textOf(row, 'source'),
        ])}
      />
    </>
  );
}

/** Days of laws are days anywhere. */
const toDate = (ms: unknown) => (typeof ms === 'number' ? new Date(ms).toISOString().slice(0, 10) : '');

function Rates() {
  const { t, tName, countryName, percentage } = useLocale();
  const [location, navigate] = useLocation();
  const search = useSearch();
  const country = new URLSearchParams(search).get('country') ?? '';
  const { may } = useStore();
  const home = useRead<{ settings: Row }>('/v0/settings', { enabled: country === '' && may('settings') });
  const shown = country || textOf(home.data?.settings, 'sellerCountry') || 'DE';
  const asked = new URLSearchParams(toOperationQuery(search));
  asked.set('country', shown);
  const read = useRead<Row>('/v0/tax/rates/list', {
    query: asked.toString(),
    keep: true,
    enabled: country !== '' || !home.isLoading,
  });
  return (
    <>
      <label className="stack">
        {t('column.country')}
        <select
          value={shown}
          onChange={(event) =>
            navigate(`${location}?tab=rates&country=${event.target.value}`, { replace: true })
          }
        >
          {COUNTRIES.map((code) => (
            <option key={code} value={code}>
              {countryName(code)}
            </option>
          ))}
        </select>
      </label>
      <Table
        title={t('tax.rates')}
        names={[
          t('tax.region'),
          t('tax.category'),
          t('column.name'),
          t('tax.rate'),
          t('tax.table'),
          t('tax.since'),
          t('tax.source'),
        ]}
        error={read.error}
        rows={rowsOf(read.data, 'rates').map((row) => [
          textOf(row, 'region'),
          tName('category.', textOf(row, 'category')),
          textOf(row, 'name'),
          percentage(Number(row.percentage)),
          typeof row.tablePercentage === 'number' ? percentage(row.tablePercentage) : '–',
          toDate(row.validFrom),
          textOf(rowOf(row, 'override') ?? undefined, 'note') || textOf(row, 'source'),
        ])}
      />
      {read.data ? (
        <Paging
          page={toPageOf(read.data)}
          rows={rowsOf(read.data, 'rates').length}
          search={search}
          go={(next) => navigate(`${location}?${next}`)}
        />
      ) : null}
    </>
  );
}

function Summary() {
  const locale = useLocale();
  const { t, countryName, percentage } = locale;
  const { zone } = useStore();
  const span = useSpan();
  const read = useRead<Row>('/v0/tax/summary', { query: span.query, keep: true });
  const tools = { locale, zone };
  return (
    <Table
      title={t('tax.summary')}
      names={[
        t('column.country'),
        t('tax.region'),
        t('tax.rate'),
        t('tax.taxable'),
        t('column.tax'),
        t('list.payments'),
      ]}
      error={read.error}
      rows={rowsOf(read.data, 'rows').map((row) => [
        textOf(row, 'country') === '' ? t('tax.untold') : countryName(textOf(row, 'country')),
        textOf(row, 'region'),
        typeof row.percentage === 'number' ? percentage(row.percentage) : '–',
        <Amount key="taxable" minor={Number(row.taxable)} currency={textOf(row, 'currency')} tools={tools} />,
        <Amount key="tax" minor={Number(row.tax)} currency={textOf(row, 'currency')} tools={tools} />,
        locale.number(Number(row.payments)),
      ])}
    />
  );
}
