/**
 * The operators' commands: straight to the store, beside a running service. Name = file of `server/src/main/operators`,
 * what it does, and the words that it takes.
 */
export const COMMANDS = {
  start: {
    file: 'start',
    does: 'run the service, its data in ./.data or DATA_DIR; also without any word',
    takes: ['[--make-user]'],
  },
  migrate: { file: 'migrate-command', does: 'bring the store to this version, and end', takes: [''] },
  backup: {
    file: 'backup',
    does: 'back the embedded store up at once, or verify its backups',
    takes: ['[--out FILE] [--recipient age1… …] [--passphrase]', '--base', 'verify [--from DIR]'],
  },
  restore: {
    file: 'restore',
    does: 'bring the embedded store back, as of a moment, into a new folder',
    takes: ['FILE [--identity FILE] [--owner EMAIL] [--yes]', '--from DIR [--at TIME] --to NEWDIR'],
  },
  'upgrade-file': {
    file: 'upgrade-file',
    does: 'write an exported file as this release does',
    takes: ['FILE [--out FILE] [--identity FILE] [--recipient age1… …] [--passphrase]'],
  },
  keys: {
    file: 'keys',
    does: 'list, create, roll and revoke key pairs',
    takes: [
      'list',
      'create [--live [--open]] [--name NAME] [--workspace ID] [--publishable | --scopes orders:read,…]',
      'roll PUBLIC_KEY [--grace-hours N]',
      'revoke PUBLIC_KEY',
      'reseal',
      'forget-sealed [--yes]',
      'confirm-kept',
    ],
  },
  accounts: {
    file: 'accounts',
    does: 'manage accounts of the dashboard',
    takes: [
      'list',
      'setup-link',
      'link EMAIL',
      'create EMAIL [--admin]',
      'disable EMAIL',
      'enable EMAIL',
      'reset-second-factor EMAIL',
    ],
  },
  doctor: {
    file: 'doctor',
    does: 'say what is wrong with store, machine and service, and what to do',
    takes: ['[--profile NAME] [--base-url URL]'],
  },
  config: { file: 'config-command', does: 'show the settings in force', takes: [''] },
  resume: {
    file: 'resume',
    does: 'say what a held store is, and let it go on',
    takes: ['--same | --restored | --copy [--workspace ID] [--skip 1000] [--send-old] [--yes]'],
  },
  hold: {
    file: 'hold',
    does: 'hold the installation or one workspace: nothing goes out of its live stores',
    takes: ['--reason TEXT [--workspace ID] [--yes]'],
  },
  processes: { file: 'processes', does: 'list the processes that live over the store', takes: [''] },
  'support-bundle': {
    file: 'support-bundle',
    does: 'write a file for whoever helps, without secrets and people',
    takes: ['[--out FILE] [--log FILE]'],
  },
  retention: {
    file: 'retention',
    does: 'what is beyond the time that it is kept for',
    takes: ['status', 'run', 'put-back FILE…'],
  },
  move: {
    file: 'move',
    does: 'move the store to an empty PostgreSQL of your own, and close it here',
    takes: [
      '--to postgres://USER@HOST/DATABASE [--yes]',
      '--reopen [--to postgres://USER@HOST/DATABASE] [--yes]',
    ],
  },
  spread: {
    file: 'spread',
    does: 'spread the store over several PostgreSQL servers',
    takes: ['plan', 'apply [--yes]', 'status', 'isolate WORKSPACE [--to HOST:PORT]', 'check'],
  },
  storage: {
    file: 'storage',
    does: 'move uploads and PDFs to where all machines reach them',
    takes: ['move --to URL [--leave-missing]'],
  },
  invariants: {
    file: 'invariants',
    does: 'ask the store for all that must always hold',
    takes: ['[--reports] [--since 25h] [7 8 …]'],
  },
};
