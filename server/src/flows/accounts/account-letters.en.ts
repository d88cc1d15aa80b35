/** Letters to accounts in English. */
import type { LetterWords } from './letter-words.ts';

const IGNORE = 'If you did not ask for this, you can ignore this mail.';
const NOT_YOU = 'If it was not you, set a new password now.';

/** What comes to a workspace that nobody uses. */
const STEPS: Readonly<Record<string, string>> = {
  suspended: 'suspended',
  archived: 'archived',
  purged: 'deleted for good',
};
const BY: Readonly<Record<string, string>> = {
  owner: 'by its Owner',
  admin: 'by an admin of the installation',
  sweep: 'since nobody used it',
};

export const en: LetterWords = {
  from: (place) => `Counterfoil at ${place}`,
  changes: {
    changePassword: 'The password of your account was changed.',
    resetPassword: 'The password of your account was set anew by a link.',
    changeEmail: 'The e-mail address of your account was changed.',
    enrolTotp: 'An authenticator app was added to your account.',
    removeTotp: 'The authenticator app of your account was removed.',
    makeRecoveryCodes: 'New recovery codes were made for your account.',
    addPasskey: 'A passkey was added to your account.',
    removePasskey: 'A passkey was removed from your account.',
  },
  cameFrom: (address) => ` It came from the address ${address}.`,
  kinds: {
    link: () => ({
      subject: 'Your sign-in link',
      lines: ['Open this link to sign in. It works once, for 15 minutes:', IGNORE],
    }),
    reset: () => ({
      subject: 'Set a new password',
      lines: ['Open this link to set a new password. It works once, for 60 minutes:', IGNORE],
    }),
    sign_up: () => ({
      subject: 'Make your account',
      lines: ['Open this link to go on. It works once, for 60 minutes:', IGNORE],
    }),
    email_change: () => ({
      subject: 'Confirm your new e-mail address',
      lines: ['Open this link to use this address for your account. It works once, for 60 minutes:', IGNORE],
    }),
    invitation: ({ workspaceName, inviterName }) => ({
      subject: `You are invited to ${workspaceName}`,
      lines: [
        `${inviterName === '' ? 'You are invited' : `${inviterName} invites you`} to ${workspaceName}. Open this link to join. It works once, for 7 days:`,
        IGNORE,
      ],
    }),
    inactivity: ({ workspaceName, step, day }) => ({
      subject: `${workspaceName} will be ${STEPS[step] ?? 'closed'} on ${day}`,
      lines: [
        `Nobody has used the workspace ${workspaceName} for a long time. It will be ${STEPS[step] ?? 'closed'} on ${day} (UTC).`,
        'Sign in to keep it.',
      ],
    }),
    workspace_state: ({ workspaceName, step, by }) => ({
      subject: `${workspaceName} was ${STEPS[step] ?? 'closed'}`,
      lines: [
        `The workspace ${workspaceName} was ${STEPS[step] ?? 'closed'} ${BY[by] ?? ''}.`,
        'Its settings say what can be done about it:',
      ],
    }),
    transfer: ({ workspaceName }) => ({
      subject: `${workspaceName} is offered to you`,
      lines: [
        `Its Owner offers you the workspace ${workspaceName}. Whoever takes it within 7 days becomes its Owner. Its settings ask you:`,
        'If you do not want it, there is nothing to do.',
      ],
    }),
    failures: ({ failures, by }) => ({
      subject: 'Failed sign-ins to your account',
      lines: [
        `Somebody failed to sign in to your account ${failures} times in a row.${by}`,
        'If it was not you, nobody has got in. Further tries have to wait.',
      ],
    }),
    recovery_code_used: ({ by }) => ({
      subject: 'A recovery code was used',
      lines: [`A recovery code of your account was used.${by}`, NOT_YOU],
    }),
    changed: ({ change, by }) => ({
      subject: 'Your account was changed',
      lines: [`${change === '' ? 'Your account was changed.' : change}${by}`, NOT_YOU],
    }),
  },
};
