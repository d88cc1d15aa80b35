/** What somebody is woken for: `npm run docs` writes it for Prometheus, with a test that provokes each. */

export interface Alert {
  name: string;
  /** In PromQL. */
  when: string;
  /** How long it must be so, as Prometheus writes it. */
  for: string;
  severity: 'page' | 'ticket';
  says: string;
  /** Series that bring it about, a value a minute, and the labels that it then bears. */
  provoked: { series: Record<string, string>; labels?: Record<string, string> };
  /** Of one that is met in several ways: the others. */
  alsoBy?: ReadonlyArray<Record<string, string>>;
}

/** A service that is well, each figure near what it is woken for. */
export const WELL: Readonly<Record<string, string>> = {
  counterfoil_store_up: '1x150',
  counterfoil_held: '0x150',
  'counterfoil_http_requests_total{code="2xx"}': '0+1000x150',
  'counterfoil_http_requests_total{code="5xx"}': '0+9x150',
  'counterfoil_processes{role="worker"}': '1x150',
  'counterfoil_due_oldest_seconds{kind="renew"}': '290x150',
  'counterfoil_due_oldest_seconds{kind="deliver_webhook"}': '50x150',
  'counterfoil_job_failures_total{kind="renew"}': '0+1x150',
  'counterfoil_charges_unknown{processor="stripe"}': '10x150',
  'counterfoil_charges_held{processor="stripe"}': '0x150',
  counterfoil_processors_broken: '0x150',
  counterfoil_ledger_differences: '0x150',
  'counterfoil_retention_behind_seconds{table="mails"}': '86000x150',
  counterfoil_invariants_broken: '0x150',
  counterfoil_mail_oldest_seconds: '890x150',
  'counterfoil_documents_total{outcome="drawn"}': '0+1x150',
  'counterfoil_backup_age_seconds{kind="base"}': '93000x150',
  'counterfoil_backup_age_seconds{kind="log"}': '290x150',
  counterfoil_disk_free_ratio: '0.9-0.00005x150',
  counterfoil_store_lag_seconds: '29x150',
  'counterfoil_store_connections{state="busy"}': '17x150',
  counterfoil_store_connections_max: '20x150',
  counterfoil_clock_skew_seconds: '0.4x150',
  'counterfoil_build_info{version="0.1.0"}': '1x150',
};

/** Constant for two hours and a half. */
const always = (value: number) => `${value}x150`;
/** From 0, so much more each minute. */
const growing = (step: number) => `0+${step}x150`;

export const ALERTS: readonly Alert[] = [
  {
    name: 'StoreDown',
    when: 'counterfoil_store_up == 0',
    for: '30s',
    severity: 'page',
    says: 'the store does not answer',
    provoked: { series: { counterfoil_store_up: always(0) } },
  },
  {
    name: 'StoreHeld',
    when: 'max(counterfoil_held) > 0',
    for: '0s',
    severity: 'page',
    says: 'live stores are held: they may be copies of others',
    provoked: { series: { counterfoil_held: always(1) } },
  },
  {
    name: 'ErrorsHigh',
    when: 'sum(rate(counterfoil_http_requests_total{code="5xx"}[5m])) / sum(rate(counterfoil_http_requests_total[5m])) > 0.01',
    for: '5m',
    severity: 'page',
    says: 'more than 1 % of the requests fail',
    provoked: {
      series: {
        'counterfoil_http_requests_total{code="2xx"}': growing(60),
        'counterfoil_http_requests_total{code="5xx"}': growing(6),
      },
    },
  },
  {
    name: 'Slow',
    when: 'histogram_quantile(0.99, sum by (le) (rate(counterfoil_http_request_seconds_bucket[5m]))) > 1',
    for: '10m',
    severity: 'ticket',
    says: 'one request in a hundred takes longer than a second',
    provoked: {
      series: {
        'counterfoil_http_request_seconds_bucket{le="1"}': growing(60),
        'counterfoil_http_request_seconds_bucket{le="2.5"}': growing(120),
        'counterfoil_http_request_seconds_bucket{le="+Inf"}': growing(120),
      },
    },
  },
  {
    name: 'DueBehind',
    when: 'max by (kind) (counterfoil_due_oldest_seconds) > 300',
    for: '5m',
    severity: 'page',
    says: 'work of the kind {{ $labels.kind }} has been due for five minutes',
    provoked: {
      series: { 'counterfoil_due_oldest_seconds{kind="advance_subscription"}': always(400) },
      labels: { kind: 'advance_subscription' },
    },
  },
  {
    name: 'WorkersGone',
    // A worker tells of the store as a whole, of what is due too: without one nothing would seem late.
    when: 'max(counterfoil_store_up) == 1 unless on() counterfoil_processes',
    for: '5m',
    severity: 'page',
    says: 'no worker has told of the store for five minutes',
    provoked: { series: { counterfoil_store_up: always(1) } },
  },
  {
    name: 'JobFailing',
    when: 'sum by (kind) (increase(counterfoil_job_failures_total[10m])) > 20',
    for: '0s',
    severity: 'ticket',
    says: 'work of the kind {{ $labels.kind }} fails again and again',
    provoked: {
      series: { 'counterfoil_job_failures_total{kind="send_mail"}': growing(5) },
      labels: { kind: 'send_mail' },
    },
  },
  {
    name: 'ChargesUnknown',
    when: 'sum by (processor) (counterfoil_charges_unknown) > 10',
    for: '5m',
    severity: 'page',
    says: 'charges of {{ $labels.processor }} have had no known outcome for an hour',
    provoked: {
      series: { 'counterfoil_charges_unknown{processor="stripe"}': always(11) },
      labels: { processor: 'stripe' },
    },
  },
  {
    name: 'ChargesHeld',
    when: 'sum by (processor) (counterfoil_charges_held) > 0',
    for: '1h',
    severity: 'ticket',
    says: 'charges of {{ $labels.processor }} wait for a decision',
    provoked: {
      series: { 'counterfoil_charges_held{processor="stripe"}': always(1) },
      labels: { processor: 'stripe' },
    },
  },
  {
    name: 'ProcessorBroken',
    // Nothing is late and no charge fails: what is due over it is not asked for.
    when: 'max(counterfoil_processors_broken) > 0',
    for: '5m',
    severity: 'ticket',
    says: 'a connection to a processor lets nobody in: what is due over it waits',
    provoked: { series: { counterfoil_processors_broken: always(1) } },
  },
  {
    name: 'RenewalsFailing',
    when: '(sum(increase(counterfoil_renewals_total{outcome="paid",mode="live"}[1h])) / sum(increase(counterfoil_renewals_total{mode="live"}[1h]))) < 0.7 * (sum(increase(counterfoil_renewals_total{outcome="paid",mode="live"}[7d])) / sum(increase(counterfoil_renewals_total{mode="live"}[7d]))) and sum(increase(counterfoil_renewals_total{mode="live"}[1h])) >= 50',
    for: '10m',
    severity: 'page',
    says: 'far fewer renewals than usual are paid',
    provoked: {
      series: {
        'counterfoil_renewals_total{outcome="paid",mode="live"}': '0+10x60 600x90',
        'counterfoil_renewals_total{outcome="failed",mode="live"}': '0x60 0+10x90',
      },
    },
  },
  {
    name: 'MoneyDiffers',
    when: 'max(counterfoil_ledger_differences) > 0 or max(counterfoil_invariants_broken) > 0',
    for: '0s',
    severity: 'page',
    says: 'what must always hold of money does not',
    provoked: { series: { 'counterfoil_invariants_broken{number="8"}': always(1) } },
    alsoBy: [{ counterfoil_ledger_differences: always(1) }],
  },
  {
    name: 'WebhooksBehind',
    when: 'histogram_quantile(0.95, sum by (le) (rate(counterfoil_webhook_lag_seconds_bucket[10m]))) > 60 or max(counterfoil_due_oldest_seconds{kind="deliver_webhook"}) > 60',
    for: '10m',
    severity: 'ticket',
    says: 'webhooks of receivers that are well go out more than a minute late',
    provoked: {
      series: {
        'counterfoil_webhook_lag_seconds_bucket{le="60"}': growing(1),
        'counterfoil_webhook_lag_seconds_bucket{le="120"}': growing(20),
        'counterfoil_webhook_lag_seconds_bucket{le="+Inf"}': growing(20),
      },
    },
    alsoBy: [{ 'counterfoil_due_oldest_seconds{kind="deliver_webhook"}': always(90) }],
  },
  {
    name: 'MailsStuck',
    when: 'max(counterfoil_mail_oldest_seconds) > 900',
    for: '1m',
    severity: 'page',
    says: 'the oldest mail has waited for fifteen minutes',
    provoked: { series: { counterfoil_mail_oldest_seconds: always(1000) } },
  },
  {
    name: 'FilesLost',
    when: 'sum(increase(counterfoil_documents_total{outcome="lost"}[10m])) > 0',
    for: '0s',
    severity: 'page',
    says: 'an upload or a PDF is missing where it should lie',
    provoked: { series: { 'counterfoil_documents_total{outcome="lost"}': growing(1) } },
  },
  {
    name: 'BackupOld',
    // The first base is taken at the start: an hour later there is one, and its age.
    when: 'max(counterfoil_backup_age_seconds{kind="base"}) > 93600 or max(counterfoil_backup_age_seconds{kind="log"}) > 300 or (max(counterfoil_backup_age_seconds{kind="log"} offset 1h) unless on() max(last_over_time(counterfoil_backup_age_seconds{kind="base"}[1h])))',
    for: '0s',
    severity: 'page',
    says: 'the last base backup is older than 26 hours, there is none yet, or the log has waited for five minutes to be archived',
    provoked: { series: { 'counterfoil_backup_age_seconds{kind="log"}': always(400) } },
    alsoBy: [
      { 'counterfoil_backup_age_seconds{kind="base"}': always(94_000) },
      { 'counterfoil_backup_age_seconds{kind="log"}': always(0) },
    ],
  },
  {
    name: 'RetentionBehind',
    // As much as `doctor` lets pass: a store that is upgraded, or lets go for the first time, has to catch up.
    when: 'max(counterfoil_retention_behind_seconds) > 86400',
    for: '2h',
    severity: 'ticket',
    says: 'what is past its time is kept on, by more than a day',
    provoked: { series: { 'counterfoil_retention_behind_seconds{table="mails"}': always(90_000) } },
  },
  {
    name: 'DiskFull',
    // What a first hour fills, with a cluster and its first base backup, goes on in no week.
    when: 'min(counterfoil_disk_free_ratio) < 0.15 or min(predict_linear(counterfoil_disk_free_ratio[1d], 7 * 86400) and counterfoil_disk_free_ratio offset 2h) < 0',
    for: '10m',
    severity: 'page',
    says: 'the disk of the embedded store is nearly full, or will be within a week',
    provoked: { series: { counterfoil_disk_free_ratio: always(0.1) } },
    // A tenth and a half goes in a day.
    alsoBy: [{ counterfoil_disk_free_ratio: '0.9-0.0001x150' }],
  },
  {
    name: 'ReplicaBehind',
    when: 'max(counterfoil_store_lag_seconds) > 30',
    for: '5m',
    severity: 'ticket',
    says: 'a standby is more than half a minute behind the store',
    provoked: { series: { counterfoil_store_lag_seconds: always(60) } },
  },
  {
    name: 'ConnectionsFull',
    when: 'counterfoil_store_connections{state="busy"} / ignoring(state) counterfoil_store_connections_max > 0.85',
    for: '5m',
    severity: 'ticket',
    says: 'a process uses more than 85 % of its connections to the store',
    provoked: {
      series: {
        'counterfoil_store_connections{state="busy"}': always(19),
        counterfoil_store_connections_max: always(20),
      },
    },
  },
  {
    name: 'ClockSkew',
    when: 'abs(counterfoil_clock_skew_seconds) > 0.5',
    for: '5m',
    severity: 'ticket',
    says: 'the clocks of a machine and of the store are more than half a second apart',
    provoked: { series: { counterfoil_clock_skew_seconds: always(-1) } },
  },
  {
    name: 'VersionsMixed',
    when: 'count(count by (version) (counterfoil_build_info)) > 1',
    for: '2h',
    severity: 'ticket',
    says: 'two versions have run side by side for two hours',
    provoked: {
      series: {
        'counterfoil_build_info{version="1.0.0"}': always(1),
        'counterfoil_build_info{version="1.1.0"}': always(1),
      },
    },
  },
];

/** Of the board: what each panel shows. */
export const PANELS: ReadonlyArray<{ title: string; unit: string; shows: string }> = [
  { title: 'Store answers', unit: 'none', shows: 'min(counterfoil_store_up)' },
  { title: 'Held', unit: 'none', shows: 'max(counterfoil_held)' },
  { title: 'Requests', unit: 'reqps', shows: 'sum by (code) (rate(counterfoil_http_requests_total[5m]))' },
  {
    title: 'Requests: p99',
    unit: 's',
    shows: 'histogram_quantile(0.99, sum by (le) (rate(counterfoil_http_request_seconds_bucket[5m])))',
  },
  { title: 'Sales', unit: 'none', shows: 'sum by (mode, outcome) (increase(counterfoil_sales_total[1h]))' },
  { title: 'Renewals', unit: 'none', shows: 'sum by (outcome) (increase(counterfoil_renewals_total[1h]))' },
  { title: 'Refunds', unit: 'none', shows: 'sum by (outcome) (increase(counterfoil_refunds_total[1h]))' },
  {
    title: 'Charges',
    unit: 'none',
    shows: 'sum by (processor, outcome) (increase(counterfoil_charge_outcomes_total[1h]))',
  },
  {
    title: 'Charges without outcome',
    unit: 'none',
    shows: 'sum by (processor) (counterfoil_charges_unknown)',
  },
  {
    title: 'Connections to processors that are broken',
    unit: 'none',
    shows: 'max(counterfoil_processors_broken)',
  },
  { title: 'Work that is due', unit: 'none', shows: 'sum by (kind) (counterfoil_due_rows)' },
  { title: 'Oldest work', unit: 's', shows: 'max by (kind) (counterfoil_due_oldest_seconds)' },
  {
    title: 'Failures of work',
    unit: 'none',
    shows: 'sum by (kind) (increase(counterfoil_job_failures_total[10m]))',
  },
  {
    title: 'Webhooks',
    unit: 'none',
    shows: 'sum by (outcome) (increase(counterfoil_webhook_attempts_total[10m]))',
  },
  { title: 'Mails', unit: 'none', shows: 'sum by (outcome) (increase(counterfoil_mails_total[1h]))' },
  {
    title: 'Connections to the store',
    unit: 'none',
    shows: 'sum by (state) (counterfoil_store_connections)',
  },
  {
    title: 'Wait for a connection: p99',
    unit: 's',
    shows: 'histogram_quantile(0.99, sum by (le) (rate(counterfoil_store_wait_seconds_bucket[5m])))',
  },
  { title: 'Largest tables', unit: 'bytes', shows: 'topk(10, max by (table) (counterfoil_store_bytes))' },
  {
    title: 'Beyond the time it is kept for',
    unit: 's',
    shows: 'max by (table) (counterfoil_retention_behind_seconds)',
  },
  { title: 'Invariants that are broken', unit: 'none', shows: 'sum(counterfoil_invariants_broken)' },
];
