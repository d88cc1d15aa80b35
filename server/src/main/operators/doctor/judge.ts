/** What of the facts is a fault, and what to do about it. */
import type { Config } from '../../../config.ts';
import { GIVE_RIGHTS, isRightMissing } from '../../../db/store-failure.ts';
import { isLoopbackAddress } from '../../../domain/loopback.ts';
import { PRODUCT_VERSION } from '../../../domain/version.ts';
import { toReason } from '../manners.ts';
import type { Facts } from './facts.ts';
import { inNumber } from './in-number.ts';
import { judgeServer, type Rule } from './judge-server.ts';

export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  remedy: string | null;
}

const GIB = 1024 ** 3;
const FREE_MIN = 2 * GIB;
const SKEW_MAX_MS = 500;
const HOUR_MS = 3_600_000;
const BASE_MAX_MS = 26 * HOUR_MS;
const LOG_MAX_MS = 5 * 60_000;
const FILE_MAX_MS = 48 * HOUR_MS;
const NARROW_SEGMENT = 1024 * 1024;
/** What the server keeps for its operators, and for whoever looks in. */
const SPARE = 15;
/** Upkeep runs by and by: a day more than its time is no fault. */
const BEHIND_MAX_DAYS = 1;

/** One finding for each fault; what is sound is told by check, once. */
export function judge(facts: Facts, config: Pick<Config, 'publicUrl'>): Finding[] {
  const rules = [
    ...judgeServer(facts.server),
    ...ofStore(facts),
    ...ofBackups(facts),
    ...ofWork(facts),
    ...ofSurroundings(facts, config),
  ];
  const checks = [...new Set(rules.map(([check]) => check))];
  return checks.flatMap((check): Finding[] => {
    const faults = rules.filter(([name, , isFault]) => name === check && isFault);
    if (faults.length === 0)
      return [{ check, status: 'ok', message: sayOfSound(check, facts), remedy: null }];
    return faults.map(([, status, , message, remedy]) => ({ check, status, message, remedy }));
  });
}

/** The schema of a newer release serves the one before: code is rolled back over it, and rolled out beside it. */
function sayOfSound(check: string, { migrations: { unknown } }: Facts): string {
  if (check !== 'migrations' || unknown.length === 0) return 'sound';
  return inNumber(
    unknown.length,
    'sound: 1 is of a newer version, and serves this one',
    'sound: # are of a newer version, and serve this one',
  );
}

const ofMissing = (pending: readonly string[]): Rule => [
  'migrations',
  'fail',
  pending.length > 0,
  inNumber(pending.length, '1 of this version is missing', '# of this version are missing'),
  'Start the service once, or run its migrations.',
];

/** Of a store that cannot be asked for more, since what this version asks for is not in it yet. */
export function judgeOlder({ pending }: Facts['migrations']): Finding {
  const [check, status, , message, remedy] = ofMissing(pending);
  return { check, status, message, remedy };
}

/** Nothing else can be said of it. */
export function judgeAway(error: unknown): Finding {
  const reason = toReason(error);
  return isRightMissing(error)
    ? {
        check: 'store',
        status: 'fail',
        message: `the store refuses the role of DATABASE_URL: ${reason}`,
        remedy: `${GIVE_RIGHTS.replace(/^./, (letter) => letter.toUpperCase())}.`,
      }
    : {
        check: 'store',
        status: 'fail',
        message: `the store cannot be reached: ${reason}`,
        remedy: 'Look whether PostgreSQL runs, and whether DATABASE_URL names it, or start the service.',
      };
}

function ofStore({
  migrations,
  bloated,
  invalidIndexes,
  isHeld,
  unopened,
  readableSecrets,
  behindDays,
}: Facts): Rule[] {
  const { pending, neededVersion } = migrations;
  const behind = behindDays.filter(({ days }) => days > BEHIND_MAX_DAYS);
  const kept = behind.map(({ kept: what, days }) => `${what} by ${days.toFixed(1)} days`).join(', ');
  return [
    ofMissing(pending),
    [
      'migrations',
      'fail',
      neededVersion !== null,
      `the store takes version ${neededVersion} and later, and this is ${PRODUCT_VERSION}`,
      'Install one of those.',
    ],
    [
      'bloat',
      'warn',
      bloated.length > 0,
      `more than 30 % dead rows: ${bloated.join(', ')}`,
      'Let autovacuum run: look for old transactions and slots.',
    ],
    [
      'indexes',
      'fail',
      invalidIndexes.length > 0,
      `not valid, so that they find nothing and may let in doubles: ${invalidIndexes.join(', ')}`,
      'As the owner of the store: reindex index concurrently, and the name.',
    ],
    [
      'held',
      'fail',
      isHeld,
      'live stores are held: nothing is charged or sent',
      'Find out which copy this is, then: npm run resume.',
    ],
    [
      'secrets',
      'fail',
      unopened > 0,
      inNumber(unopened, 'no key opens 1 secret', 'no key opens # secrets'),
      'Give SECRETS_KEY back, or npm run keys -- forget-sealed.',
    ],
    [
      'rights',
      'fail',
      readableSecrets.length > 0,
      `others on this machine can read ${readableSecrets.join(', ')}`,
      'chmod 600, and make key pairs anew where somebody may have read them.',
    ],
    [
      'retention',
      'warn',
      behind.length > 0,
      `beyond its time: ${kept}`,
      'Is a worker alive? npm run retention -- run does it at once.',
    ],
  ];
}

function ofBackups({ backups, hasPaidLive }: Facts): Rule[] {
  const { isEmbedded, isDirIdle, ages, fileMs, isKeyKept, segmentBytes } = backups;
  const baseMs = ages?.baseMs ?? null;
  const hasNone = isEmbedded && ages === null && (fileMs === null || fileMs > FILE_MAX_MS);
  return [
    [
      'backup',
      'fail',
      ages !== null && (baseMs === null || baseMs > BASE_MAX_MS),
      baseMs === null
        ? 'there is no base backup in BACKUP_DIR'
        : `the last base backup is ${Math.round(baseMs / HOUR_MS)} hours old`,
      'Does the service run, and has BACKUP_DIR room? npm run backup -- --base takes one now.',
    ],
    [
      'backup',
      'fail',
      ages !== null && ages.logMs > LOG_MAX_MS,
      `the log has waited to be archived for ${Math.round((ages?.logMs ?? 0) / 60_000)} minutes`,
      'Look at BACKUP_DIR: its room, and whether the server may write there.',
    ],
    [
      'backup',
      'warn',
      hasNone && hasPaidLive,
      'live sales, and no backup is younger than 48 hours',
      'Set BACKUP_DIR on another disk, or let npm run backup run daily.',
    ],
    [
      'backup',
      'warn',
      isDirIdle,
      'nothing is backed up into BACKUP_DIR, which is for the embedded store',
      'Back PostgreSQL up by its own means (docs/guides/restore-the-drill.md), and take BACKUP_DIR away.',
    ],
    [
      'segments',
      'warn',
      ages !== null && segmentBytes > NARROW_SEGMENT,
      `segments of the log hold ${segmentBytes / NARROW_SEGMENT} MiB: up to 15 minutes are lost with the machine`,
      'npm run backup, and npm run restore into a new DATA_DIR, make the store anew.',
    ],
    [
      'key',
      'warn',
      !isKeyKept,
      'nobody has said that the key of what is sealed is kept elsewhere: no backup holds it',
      'Keep secrets.key or SECRETS_KEY elsewhere, then: npm run keys -- confirm-kept.',
    ],
  ];
}

function ofWork(facts: Facts): Rule[] {
  const { late, leases, failingWebhooks, brokenProcessors, charges, waitingSubscriptions } = facts;
  const kinds = late.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  return [
    [
      'due-work',
      'fail',
      late.length > 0,
      `late for more than 5 minutes: ${kinds}`,
      'Is a worker alive? Its log says what fails.',
    ],
    [
      'leases',
      'warn',
      leases > 0,
      `${inNumber(leases, '1 lease has', '# leases have')} run out and nobody took the work up`,
      'Is a worker alive?',
    ],
    [
      'webhooks',
      'warn',
      failingWebhooks > 0,
      inNumber(failingWebhooks, '1 fails or is disabled', '# fail or are disabled'),
      'The page of each in the dashboard shows the last answers.',
    ],
    [
      'processors',
      'warn',
      brokenProcessors > 0,
      inNumber(
        brokenProcessors,
        '1 lets nobody in: what is due over it waits, and nothing is charged',
        '# let nobody in: what is due over them waits, and nothing is charged',
      ),
      'The page of each in the dashboard says why; what waited goes on by Replace keys.',
    ],
    [
      'charges',
      'warn',
      charges.unknown > 0,
      `${inNumber(charges.unknown, '1 has had', '# have had')} no known outcome for an hour`,
      'Look at the processor’s status page; outcomes are asked for again.',
    ],
    [
      'charges',
      'warn',
      charges.held > 0,
      inNumber(charges.held, '1 waits for a decision', '# wait for a decision'),
      'Accept or return what was paid, in the dashboard.',
    ],
    [
      'imports',
      'warn',
      waitingSubscriptions > 0,
      inNumber(
        waitingSubscriptions,
        '1 imported subscription waits, and is not charged',
        '# imported subscriptions wait, and are not charged',
      ),
      'Stop what was imported where it came from, then: counterfoil import activate ID.',
    ],
  ];
}

function ofSurroundings(facts: Facts, { publicUrl }: Pick<Config, 'publicUrl'>): Rule[] {
  const { skewMs, pooler, processes, freeBytes, fullInDays, server } = facts;
  const pools = processes.reduce((sum, { pool }) => sum + pool, 0) + SPARE;
  const versions = new Set(processes.map(({ version }) => version));
  const { protocol, hostname } = new URL(publicUrl);
  const isOpen = protocol === 'http:' && !isLoopbackAddress(hostname);
  const free = freeBytes ?? FREE_MIN;
  return [
    [
      'clock',
      'warn',
      skewMs > SKEW_MAX_MS,
      `store and machine are ${Math.round(skewMs)} ms apart`,
      'Let both set their clocks by NTP.',
    ],
    [
      'connections',
      'warn',
      // Behind a pooler they are its clients, of which it takes more than the server has sessions.
      pooler === null && pools > server.connectionsMax,
      `processes may open ${pools}, the server lets in ${server.connectionsMax}`,
      'Lower DATABASE_CONNECTIONS_MAX, raise max_connections, or put a pooler between.',
    ],
    [
      'pooler',
      'warn',
      pooler?.keepsNames === false,
      'the pooler before the store keeps nothing that is prepared: a read costs the store four times as much',
      'PgBouncer 1.21 or newer with max_prepared_statements = 500, or pool_mode = session.',
    ],
    [
      'versions',
      'warn',
      versions.size > 1,
      `processes are of ${[...versions].join(', ')}`,
      'Finish the roll.',
    ],
    [
      'disk',
      'fail',
      free < FREE_MIN,
      `${(free / GIB).toFixed(1)} GiB are free`,
      'Make room: with a full disk nothing is sold.',
    ],
    [
      'disk-growth',
      'warn',
      fullInDays !== null && fullInDays < 7,
      `as it grew in the last week the disk is full ${inNumber(Math.floor(fullInDays ?? 0), 'in 1 day', 'in # days')}`,
      'Make room, or keep less: see RETAIN_* in docs/configuration.md.',
    ],
    [
      'public-url',
      'fail',
      isOpen,
      `${publicUrl} is not https`,
      'Put TLS in front, and set PUBLIC_URL to https://.',
    ],
    ...ofFiles(facts),
    ...ofMail(facts),
  ];
}

function ofFiles({ files, processes }: Facts): Rule[] {
  const { kept, own, missing, failure } = files;
  const hosts = new Set(processes.filter(({ filesUrl }) => filesUrl === null).map(({ host }) => host));
  const misled = processes.filter(({ filesUrl }) => filesUrl !== kept).length;
  return [
    [
      'hosts',
      'fail',
      hosts.size > 1,
      `${hosts.size} machines keep their files apart`,
      'Move them to where all reach them: npm run storage -- move --to URL on each.',
    ],
    [
      'files-url',
      'fail',
      own !== kept || misled > 0,
      `files lie in ${kept ?? 'DATA_DIR'}; FILES_URL says ${own ?? 'DATA_DIR'} here, and otherwise in ${inNumber(misled, '1 process', '# processes')}`,
      'Set FILES_URL as the store has it, and start those processes anew.',
    ],
    [
      'files',
      'fail',
      failure !== null,
      `files cannot be asked for: ${failure}`,
      'Mend FILES_URL, or the way to it.',
    ],
    [
      'files',
      'fail',
      own === kept && missing > 0,
      inNumber(
        missing,
        '1 of a sample is not where it should lie',
        '# of a sample are not where they should lie',
      ),
      'Is it the DATA_DIR of the service? Else bring them back from a backup of that place.',
    ],
  ];
}

function ofMail({ smtp, hasPaidLive }: Facts): Rule[] {
  return [
    [
      'mail',
      'fail',
      smtp !== null && !smtp.isGreeted,
      `the mail server does not greet: ${smtp?.said ?? ''}`,
      'Mend SMTP_URL, or the way to it.',
    ],
    [
      'mail',
      'warn',
      smtp === null && hasPaidLive,
      'buyers get no mail: SMTP_URL is not set',
      'Set SMTP_URL.',
    ],
  ];
}
