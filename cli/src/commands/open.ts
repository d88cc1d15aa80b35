/** `open`: the address of a page, shown in the browser of whoever sits here. */
import { Argument } from 'commander';
import type { Call } from '../call.ts';
import { CommandError, EXIT } from '../io.ts';
import { type Own, openPair, type PairFlags, withExample, withPair } from '../own-command.ts';

const PLACES = ['dashboard', 'docs', 'checkout', 'order'] as const;
type Place = (typeof PLACES)[number];
const NEEDS_ID: ReadonlySet<Place> = new Set(['checkout', 'order']);

export function addOpen({ io, program }: Own): void {
  const command = withPair(program.command('open'))
    .description('print the address of a page, and open it where somebody sits')
    .addArgument(new Argument('<page>', 'which').choices(PLACES))
    .argument('[id]', 'of the checkout element or offer; the number of the order');
  withExample(command, 'counterfoil open dashboard', 'counterfoil open order 7K3M9XQ2V8TD');
  command.action(async (place: Place, id: string | undefined, flags: PairFlags) => {
    if (NEEDS_ID.has(place) !== (id !== undefined))
      throw new CommandError(
        EXIT.usage,
        `open ${place} ${NEEDS_ID.has(place) ? 'needs an id' : 'takes no id'}.`,
      );
    const { pair, call } = await openPair(io, flags);
    const url = `${pair.baseUrl}${await toPath(call, { place, id: id ?? '' })}`;
    io.out(flags.json ? JSON.stringify({ url }) : url);
    if (io.isTable) io.open(url);
  });
}

async function toPath(call: Call, { place, id }: { place: Place; id: string }): Promise<string> {
  const part = encodeURIComponent(id);
  if (place === 'docs') return '/docs';
  if (place === 'checkout') return `/checkout/${part}`;
  const { workspace, mode } = (await call({ method: 'GET', path: '/v0/whoami' })) as {
    workspace: { id: string };
    mode: string;
  };
  const own = `/dashboard/${workspace.id}/${mode}`;
  if (place === 'dashboard') return own;
  const { order } = (await call({ method: 'GET', path: `/v0/orders/${part}` })) as {
    order: { number: string };
  };
  return `${own}/orders/${encodeURIComponent(order.number)}`;
}
