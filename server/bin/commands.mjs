/** The operators' commands: straight to the store, beside a running service. Name = file of `server/src/main`, what it does. */
export const COMMANDS = {
  start: { file: 'start', does: 'run the service, its data in ./.data or DATA_DIR; also without any word' },
  migrate: { file: 'migrate-command', does: 'bring the store to this version, and end' },
  backup: { file: 'backup', does: 'back the embedded store up at once, or verify its backups' },
  restore: { file: 'restore', does: 'bring the embedded store back, as of a moment, into a new folder' },
  'upgrade-file': { file: 'upgrade-file', does: 'write an exported file as this release does' },
  keys: { file: 'keys', does: 'list, create, roll and revoke key pairs' },
  accounts: { file: 'accounts', does: 'manage accounts of the dashboard' },
  doctor: { file: 'doctor', does: 'say what is wrong with store, machine and service, and what to do' },
  config: { file: 'config-command', does: 'show the settings in force' },
  resume: { file: 'resume', does: 'say what a held store is, and let it go on' },
  hold: { file: 'hold', does: 'hold the installation or one workspace: nothing goes out of its live stores' },
  processes: { file: 'processes', does: 'list the processes that live over the store' },
  'support-bundle': {
    file: 'support-bundle',
    does: 'write a file for whoever helps, without secrets and people',
  },
  retention: { file: 'retention', does: 'what is beyond the time that it is kept for' },
  move: { file: 'move', does: 'move the store to an empty PostgreSQL of your own, and close it here' },
  storage: { file: 'storage', does: 'move uploads and PDFs to where all machines reach them' },
  invariants: { file: 'invariants', does: 'ask the store for all that must always hold' },
};
