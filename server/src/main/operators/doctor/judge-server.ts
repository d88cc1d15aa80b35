/** What is wrong with the server itself, and what its standbys and sessions show. */
import type { ServerFacts } from './facts.ts';
import { inNumber } from './in-number.ts';

const SLOT_GIB_MAX = 10;
const GIB = 1024 ** 3;
const TRANSACTION_MAX_S = 600;
const LAG_MAX_S = 30;
const POSTGRES_MIN = 150_000;

export type Rule = [
  check: string,
  status: 'warn' | 'fail',
  isFault: boolean,
  message: string,
  remedy: string,
];

export const judgeServer = (server: ServerFacts): Rule[] => [...ofServer(server), ...ofSessions(server)];

function ofServer(server: ServerFacts): Rule[] {
  const { version, fsync, fullPageWrites, checksums, autovacuum, isReadOnly, isArchiveFailing } = server;
  const isStandby = server.timeline === null;
  return [
    [
      'postgres',
      'fail',
      version < POSTGRES_MIN,
      `PostgreSQL is ${Math.floor(version / 10_000)}`,
      'Move to PostgreSQL 15 or newer.',
    ],
    [
      'writes',
      'fail',
      isReadOnly,
      isStandby ? 'DATABASE_URL leads to a standby: nothing can be sold there' : 'the server is read-only',
      isStandby
        ? 'Point DATABASE_URL at the primary, or name all hosts with target_session_attrs=read-write.'
        : 'See who set default_transaction_read_only, as some services do for a disk that is nearly full.',
    ],
    [
      'fsync',
      'fail',
      fsync !== 'on',
      `fsync is ${fsync}: a crash of the machine may lose everything`,
      'Set fsync = on.',
    ],
    [
      'fsync',
      'fail',
      fullPageWrites !== 'on',
      `full_page_writes is ${fullPageWrites}`,
      'Set full_page_writes = on.',
    ],
    [
      'checksums',
      'warn',
      checksums !== 'on',
      'pages have no checksums: a failing disk is not noticed',
      'pg_checksums --enable, while the server is stopped.',
    ],
    [
      'autovacuum',
      'fail',
      autovacuum !== 'on',
      `autovacuum is ${autovacuum}: dead rows stay, and in the end the server takes no writes`,
      'Set autovacuum = on.',
    ],
    [
      'archive',
      'fail',
      isArchiveFailing,
      'the log could not be archived',
      'Look at pg_stat_archiver and at the place it goes to.',
    ],
  ];
}

/** What its standbys and its sessions show. */
function ofSessions(server: ServerFacts): Rule[] {
  const { replicaLagS, unseenStandbys, slotBytes, transactionS, timeline, knownTimeline } = server;
  return [
    [
      'replica',
      'warn',
      replicaLagS > LAG_MAX_S,
      `a standby is ${Math.round(replicaLagS)} s behind`,
      'Look at its disk and its way to the primary.',
    ],
    [
      'replica',
      'warn',
      unseenStandbys > 0,
      inNumber(
        unseenStandbys,
        'how far 1 of the standbys is behind is not shown to the role of DATABASE_URL',
        'how far # of the standbys are behind is not shown to the role of DATABASE_URL',
      ),
      'As a superuser: grant pg_monitor to that role. The alert ReplicaBehind needs it, too.',
    ],
    [
      'timeline',
      'fail',
      timeline !== null && knownTimeline !== null && timeline < knownTimeline,
      `the server is of timeline ${timeline}, and the store was of ${knownTimeline}: a primary of before`,
      'Point DATABASE_URL at the primary, and make a standby of this one.',
    ],
    [
      'slots',
      'warn',
      slotBytes > SLOT_GIB_MAX * GIB,
      `a slot holds ${Math.round(slotBytes / GIB)} GiB of log`,
      'Bring its reader back, or drop the slot.',
    ],
    [
      'transactions',
      'warn',
      transactionS > TRANSACTION_MAX_S,
      `a transaction is open for ${Math.round(transactionS / 60)} minutes`,
      'Find it in pg_stat_activity, and end it.',
    ],
  ];
}
