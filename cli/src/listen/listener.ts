/** The listener that a machine asks by: kept beside its keys, and made anew with the same secret where it has ended. */
import type { Call } from '../call.ts';
import type { Io } from '../io.ts';
import { type Chosen, changeConfig, type KeptListener, readConfig } from '../profiles.ts';

export interface Asking {
  call: Call;
  pair: Chosen;
  events: string[];
}

const NAME_MAX = 100;

const keyOf = ({ profile, baseUrl, publicKey }: Chosen) => profile ?? `${baseUrl} ${publicKey}`;

/** The one of before where it hears the same. */
export async function findListener(io: Io, asking: Asking): Promise<KeptListener> {
  const kept = (await readConfig(io)).listeners[keyOf(asking.pair)];
  const isSame = kept !== undefined && String([...kept.events].sort()) === String([...asking.events].sort());
  return isSame ? kept : makeListener(io, asking, kept?.secret);
}

/** With the secret of before, since whoever verifies knows that one. */
export async function makeListener(
  io: Io,
  { call, pair, events }: Asking,
  secret?: string,
): Promise<KeptListener> {
  const name = `CLI on ${io.machine}`.slice(0, NAME_MAX);
  const body = { name, events, ...(secret === undefined ? {} : { secret }) };
  // Who asks goes on trying for longer than a call does.
  const request = { method: 'POST', path: '/v0/listeners/create', body, triesMax: 1 };
  const { listener } = (await call(request)) as { listener: { id: string; secret: string } };
  const made = { id: listener.id, secret: listener.secret, events };
  await changeConfig(io, (config) => {
    config.listeners[keyOf(pair)] = made;
  });
  return made;
}
