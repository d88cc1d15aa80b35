/** Hosts that many buyers' addresses have, and that are easily mistyped. */
const HOSTS = [
  ...[
    'gmail.com',
    'googlemail.com',
    'hotmail.com',
    'outlook.com',
    'yahoo.com',
    'icloud.com',
    'live.com',
    'mail.com',
  ],
  ...['msn.com', 'aol.com', 'proton.me', 'gmx.de', 'gmx.net', 'web.de', 'outlook.de', 'yahoo.de'],
  ...[
    'hotmail.fr',
    'orange.fr',
    'yahoo.fr',
    'hotmail.it',
    'libero.it',
    'yahoo.co.jp',
    'yahoo.com.br',
    'uol.com.br',
  ],
];

/** The address that was likely meant: one slip away from a host that many have. Null where there is none. */
export function suggestEmail(email: string): string | null {
  const [, name, host] = /^(\S+)@([^\s@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  if (!name || !host || HOSTS.includes(host)) return null;
  const meant = HOSTS.find((known) => isOneSlipAway(host, known));
  // What stands before the sign is the buyer's, to the letter.
  return meant === undefined ? null : `${email.trim().slice(0, name.length)}@${meant}`;
}

/** Whether one letter was left out, added, changed, or swapped with its neighbour. */
function isOneSlipAway(typed: string, known: string): boolean {
  let at = 0;
  while (at < known.length && typed[at] === known[at]) at++;
  const rest = known.slice(at + 1);
  const swapped = typed[at] === known[at + 1] && typed[at + 1] === known[at];
  return (
    typed.slice(at) === rest ||
    typed.slice(at + 1) === rest ||
    typed.slice(at + 1) === known.slice(at) ||
    (swapped && typed.slice(at + 2) === known.slice(at + 2))
  );
}
