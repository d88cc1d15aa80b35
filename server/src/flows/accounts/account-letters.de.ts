/** Letters to accounts in German. */
import type { LetterWords } from './letter-words.ts';

const IGNORE = 'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.';
const NOT_YOU = 'Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort.';

const STEPS: Readonly<Record<string, string>> = {
  suspended: 'gesperrt',
  archived: 'archiviert',
  purged: 'endgültig gelöscht',
};
const BY: Readonly<Record<string, string>> = {
  owner: 'von seinem Inhaber',
  admin: 'von einem Admin der Installation',
  sweep: 'weil ihn niemand genutzt hat',
};

export const de: LetterWords = {
  from: (place) => `Counterfoil auf ${place}`,
  changes: {
    changePassword: 'Das Passwort Ihres Kontos wurde geändert.',
    resetPassword: 'Das Passwort Ihres Kontos wurde über einen Link neu gesetzt.',
    changeEmail: 'Die E-Mail-Adresse Ihres Kontos wurde geändert.',
    enrolTotp: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt.',
    removeTotp: 'Die Authenticator-App Ihres Kontos wurde entfernt.',
    makeRecoveryCodes: 'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt.',
    addPasskey: 'Ihrem Konto wurde ein Passkey hinzugefügt.',
    removePasskey: 'Ein Passkey Ihres Kontos wurde entfernt.',
  },
  cameFrom: (address) => ` Es geschah von der Adresse ${address} aus.`,
  kinds: {
    link: () => ({
      subject: 'Ihr Anmeldelink',
      lines: ['Öffnen Sie diesen Link, um sich anzumelden. Er gilt einmal, 15 Minuten lang:', IGNORE],
    }),
    reset: () => ({
      subject: 'Neues Passwort setzen',
      lines: [
        'Öffnen Sie diesen Link, um ein neues Passwort zu setzen. Er gilt einmal, 60 Minuten lang:',
        IGNORE,
      ],
    }),
    sign_up: () => ({
      subject: 'Ihr Konto anlegen',
      lines: ['Öffnen Sie diesen Link, um fortzufahren. Er gilt einmal, 60 Minuten lang:', IGNORE],
    }),
    email_change: () => ({
      subject: 'Neue E-Mail-Adresse bestätigen',
      lines: [
        'Öffnen Sie diesen Link, um diese Adresse für Ihr Konto zu verwenden. Er gilt einmal, 60 Minuten lang:',
        IGNORE,
      ],
    }),
    invitation: ({ workspaceName, inviterName }) => ({
      subject: `Sie sind zu ${workspaceName} eingeladen`,
      lines: [
        `${inviterName === '' ? 'Sie sind' : `${inviterName} lädt Sie`} zu ${workspaceName}${inviterName === '' ? ' eingeladen' : ' ein'}. Öffnen Sie diesen Link, um beizutreten. Er gilt einmal, 7 Tage lang:`,
        IGNORE,
      ],
    }),
    inactivity: ({ workspaceName, step, day }) => ({
      subject: `${workspaceName} wird am ${day} ${STEPS[step] ?? 'geschlossen'}`,
      lines: [
        `Der Arbeitsbereich ${workspaceName} wurde lange nicht genutzt. Er wird am ${day} (UTC) ${STEPS[step] ?? 'geschlossen'}.`,
        'Melden Sie sich an, um ihn zu behalten.',
      ],
    }),
    workspace_state: ({ workspaceName, step, by }) => ({
      subject: `${workspaceName} wurde ${STEPS[step] ?? 'geschlossen'}`,
      lines: [
        `Der Arbeitsbereich ${workspaceName} wurde ${STEPS[step] ?? 'geschlossen'}, ${BY[by] ?? ''}.`,
        'Was sich dagegen tun lässt, steht in seinen Einstellungen:',
      ],
    }),
    transfer: ({ workspaceName }) => ({
      subject: `${workspaceName} wird Ihnen angeboten`,
      lines: [
        `Der Inhaber bietet Ihnen den Arbeitsbereich ${workspaceName} an. Wer ihn innerhalb von 7 Tagen übernimmt, wird sein Inhaber. Seine Einstellungen fragen Sie:`,
        'Wenn Sie ihn nicht möchten, müssen Sie nichts tun.',
      ],
    }),
    failures: ({ failures, by }) => ({
      subject: 'Fehlgeschlagene Anmeldungen bei Ihrem Konto',
      lines: [
        `Jemand hat ${failures} Mal hintereinander vergeblich versucht, sich bei Ihrem Konto anzumelden.${by}`,
        'Wenn Sie das nicht waren: Niemand ist hineingekommen. Weitere Versuche müssen warten.',
      ],
    }),
    recovery_code_used: ({ by }) => ({
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      lines: [`Ein Wiederherstellungscode Ihres Kontos wurde verwendet.${by}`, NOT_YOU],
    }),
    changed: ({ change, by }) => ({
      subject: 'Ihr Konto wurde geändert',
      lines: [`${change === '' ? 'Ihr Konto wurde geändert.' : change}${by}`, NOT_YOU],
    }),
  },
};
