/** The operators' commands: straight to the store, beside a running service. Name = file of `server/src/main`, what it does. */
export const COMMANDS = {
  start: { file: 'start', does: 'run the service, its data in ./.data or DATA_DIR; also without any word' },
  migrate: { file: 'migrate-command', does: 'bring the store to this version, and end' },
  backup: { file: 'backup', does: 'back the embedded store up at once, or verify its backups' },
  restore: { file: 'restore', does: 'bring the embedded store back, as of a moment, into a new folder' },
  keys: { file: 'keys', does: 'list, create, roll and revoke key pairs' },
  accounts: { file: 'accounts', does: 'manage accounts of the dashboard' },
  doctor: { file: 'doctor', does: 'say what is wrong with store, machine and service, and what to do' },
  config: { file: 'config-command', does: 'show the settings in force' },
  resume: { file: 'resume', does: 'say what a held store is, and let it go on' },
  retention: { file: 'retention', does: 'what is beyond the time that it is kept for' },
  invariants: { file: 'invariants', does: 'ask the store for all that must always hold' },
};
