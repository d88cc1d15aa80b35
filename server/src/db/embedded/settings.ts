/**
 * The server's settings, given on its command line so that a new release of ours changes them without
 * touching a cluster's files.
 */
export function toServerArguments(socketDir: string, { durable, archive, more = {} }: Manner): string[] {
  const settings = {
    ...COMMON,
    ...(durable ? DURABLE : FLEETING),
    ...(archive === null ? {} : toArchiving(archive)),
    unix_socket_directories: quote(socketDir),
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Where the log goes, segment by segment, and after how long an unfinished one. */
export interface Archive {
  directory: string;
  timeoutS: number;
}

export interface Manner {
  durable: boolean;
  /** Null = it is kept for recovery after a crash and no longer. */
  archive: Archive | null;
  more?: Readonly<Record<string, string>>;
}

/** Whole segments appear in the folder under their names: the library writes under another and renames. */
function toArchiving({ directory, timeoutS }: Archive): Record<string, string> {
  return {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': directory,
    archive_timeout: String(timeoutS),
  };
}

const COMMON = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  huge_pages: 'off',
  // Few processes and little shared memory: containers have 64 MB of /dev/shm, and parallel plans use it.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  // Bounds the recovery after a crash to a few seconds.
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // "log" leaves out failed statements, which are the application's business and hold people's data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** A base backup is of use with a log that says all; without one nobody reads it but recovery. */
const DURABLE = { wal_level: 'replica', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** For a store that is thrown away: a power cut would corrupt it. Tests run several services over it, each with its pool. */
const FLEETING = {
  max_connections: '200',
  wal_level: 'minimal',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

function quote(dir: string): string {
  return `"${dir.replaceAll('"', '""')}"`;
}
