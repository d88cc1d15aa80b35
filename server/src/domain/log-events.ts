/** What the log tells of, by a word that stays while sentences are rewritten: alerts and searches are made of these. */

export interface LogEvent {
  level: 'info' | 'warn' | 'error';
  /** As it is told; where that holds a value, what it says. */
  says: string;
}

const info = (says: string): LogEvent => ({ level: 'info', says });
const warn = (says: string): LogEvent => ({ level: 'warn', says });
const error = (says: string): LogEvent => ({ level: 'error', says });

export const LOG_EVENTS = {
  account_mail_failed: warn('a letter to an account was not sent'),
  account_mails_failed: warn('letters to accounts could not be sent'),
  address_guesses_pairs: warn('an address sends key pairs that are unknown or wrong'),
  advance_job_failed: error('a job failed in an advance'),
  backup_dir_idle: warn(
    'BACKUP_DIR is for the embedded store: the PostgreSQL of DATABASE_URL is backed up by its own means',
  ),
  backup_failed: warn('the store could not be backed up'),
  beat_failed: warn('this process could not say that it lives'),
  beat_file_unwritable: warn('DATA_DIR/beat cannot be written: a start after this one remembers nothing'),
  books_unread: warn('what happened at processors could not be read'),
  clock_off: warn('the clocks of machine and store differ'),
  document_drawn_anew: warn('a PDF was gone and was drawn anew'),
  document_lost: error('a PDF is gone, and this build would draw another one'),
  due_work_unclaimed: warn('due work could not be claimed'),
  emptied_files_left: warn('files of an emptied test store were left where they lie'),
  endpoint_left: warn('an endpoint was left behind'),
  endpoint_untended: warn('an endpoint could not be looked after'),
  export_given_up: warn('an export was given up'),
  file_lost: error('the bytes of an upload are missing'),
  files_apart: warn('several machines keep files each in a DATA_DIR of its own'),
  files_moved: warn('the files of this store lie elsewhere now than this process looks'),
  files_place_unknown: warn('where the files lie could not be asked for'),
  health_unnoted: warn('the health of a processor could not be noted'),
  host_unnamed: warn('a host could not be named for wallets'),
  hosts_unnamed: warn('hosts could not be named for wallets'),
  identity_refused: info('a sign-in by an identity provider was refused'),
  import_given_up: error('an import was given up'),
  internal_error: error('a bug of ours'),
  invariants_unasked: warn('the invariants could not be asked for'),
  job_failed: error('a job failed and will be tried again'),
  job_not_put_back: error('a failed job could not be put back'),
  key_pair_account_failed: warn('the account of STRIPE_SECRET_KEY could not be connected'),
  last_uses_unnoted: warn('last uses were not noted'),
  listeners_unseen: warn('it could not be seen whether anything waits for listeners'),
  mail_failed: warn('a mail was not sent'),
  own_export_given_up: warn('the copy of what is kept of a buyer was given up'),
  passkey_refused: info('a passkey was shown that does not fit'),
  pools_exceed_server: warn('processes may open more connections than the store lets in'),
  processor_books_differ_unknown: warn("a processor's books could not be compared"),
  processor_refuses_call: error('the processor says that a call of ours is not right'),
  processor_unread: warn('what happened at a processor could not be read'),
  processor_untrusted: warn('the processor gave no answer that can be trusted'),
  processors_untended: warn('what processors need could not be done'),
  proxy_unknown: warn(
    'x-forwarded-for comes from an address that TRUST_PROXY does not list: whoever is behind it counts as one client',
  ),
  proxy_unnamed: warn('PUBLIC_URL is https and TRUST_PROXY names no proxy: all buyers count as one client'),
  purged_files_left: warn('files of a purged workspace were left where they lie'),
  request_log_failed: warn('requests were not noted in the request log'),
  request_log_full: warn('requests were not noted in the request log: too many at once'),
  request_refused: info('a request was refused'),
  second_factor_sealed: error('no key opens the secret of a second factor'),
  settled_later: warn('an outcome is settled later'),
  stop_cut_short: warn(
    'the time of the stop is over: what still runs is cut off, and the store rolls it back',
  ),
  store_connection_broken: warn('a connection to the store broke while idle'),
  store_failover: warn('the store has another primary'),
  store_lost_writes: error('the store shows less than it had acknowledged: held'),
  store_lower_primary: warn('one of two primaries is of a lower timeline, and is not used'),
  store_no_primary: warn('none of the hosts of the store is the primary'),
  store_pooler_detected: warn(
    'a pooler stands before the store that does not keep what is prepared: from here on nothing is, which costs the store more (docs/guides/connections-and-poolers.md)',
  ),
  store_primary: info('this host is the primary'),
  store_stale_primary: error('the primary is of a lower timeline than was written to'),
  sweep_failed: warn('the sweep of workspaces could not be made'),
  sweep_stuck: warn('the sweep could not go on with a workspace'),
  tool_failed: error('a tool failed'),
  traces_lost: warn('the collector of traces cannot be reached: they are lost until it can'),
  traces_sent: info('the collector of traces is reached again'),
  upkeep_failed: warn('a round of upkeep failed; the next makes up for it'),
  validator_silent: info('a validator of a custom field gave no answer'),
} as const satisfies Readonly<Record<string, LogEvent>>;

const BY_SENTENCE: ReadonlyMap<string, string> = new Map(
  Object.entries(LOG_EVENTS).map(([name, { says }]) => [says, name]),
);

/** Null for a sentence that holds a value: whoever tells it names the event. */
export function findLogEvent(sentence: string): string | null {
  return BY_SENTENCE.get(sentence) ?? null;
}
