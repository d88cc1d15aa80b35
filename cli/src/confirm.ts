/** Asks before what cannot be taken back, and with live keys before any write; without anybody to ask it needs --yes. */
import type { Call } from './call.ts';
import { CommandError, EXIT, type Io } from './io.ts';
import type { Chosen } from './profiles.ts';

export interface Confirmed {
  call: Call;
  pair: Chosen;
  /** What is about to be done, as it was written. */
  what: string;
  /** Whether it asks with test keys, too. */
  asks: boolean;
  yes: boolean | undefined;
}

export async function confirmWrite(io: Io, { call, pair, what, asks, yes }: Confirmed): Promise<void> {
  if (yes || (!pair.isLive && !asks)) return;
  if (!io.isAsking)
    throw new CommandError(EXIT.usage, `${what} asks first: add --yes.`, { code: 'needs_yes' });
  if (!pair.isLive) {
    if (await io.ask(`${what}?`)) return;
  } else {
    const { workspace } = (await call({ method: 'GET', path: '/v0/whoami' })) as {
      workspace: { name: string };
    };
    const question = `${what}: this is LIVE. Type the workspace's name, ${workspace.name}, to go on.`;
    if ((await io.askText(question, { isHidden: false })).trim() === workspace.name) return;
  }
  throw new CommandError(EXIT.interrupted, 'Nothing was done.', { code: 'not_confirmed' });
}

/** What makes up objects belongs to test mode alone. */
export function requireTest(pair: Chosen, what: string): void {
  if (pair.isLive) throw new CommandError(EXIT.usage, `${what} needs test keys.`, { code: 'test_mode_only' });
}
