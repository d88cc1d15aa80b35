/**
 * The server's settings, given on its command line so that a new release of ours changes them without
 * touching a cluster's files.
 */
export function toServerArguments(socketDir: string, durable: boolean): string[] {
  const settings = {
    ...COMMON,
    ...(durable ? DURABLE : FLEETING),
    unix_socket_directories: quote(socketDir),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
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
  // Nobody replicates from this server, so the log holds what recovery needs and nothing else.
  wal_level: 'minimal',
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

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** For a store that is thrown away: a power cut would corrupt it. */
const FLEETING = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

function quote(dir: string): string {
  return `"${dir.replaceAll('"', '""')}"`;
}
