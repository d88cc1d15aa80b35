/** `trigger`: makes an event happen in test mode, to real objects, or sends the made-up one. */
import { confirmWrite, requireTest } from '../confirm.ts';
import { CommandError, EXIT } from '../io.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';
import { showData } from '../show.ts';
import { readTypes } from './listen.ts';
import { MOVES_CLOCK, STORIES } from './stories.ts';

export function addTrigger({ io, program, catalogue: { eventTypes } }: Own): void {
  const command = withYes(withPair(program.command('trigger <event>')))
    .description(`play a story in test mode that ends in the event: ${eventTypes.join(', ')}`)
    .option('--sample', 'send the made-up event instead: nothing is bought');
  withExample(
    command,
    'counterfoil trigger payment_success',
    'counterfoil trigger payment_refunded --sample',
  );
  command.action(async (event: string, flags: PairFlags & { sample?: boolean }) => {
    const [type = ''] = readTypes(event, eventTypes);
    const { pair, call } = await openPair(io, flags);
    requireTest(pair, 'trigger');
    if (flags.sample) {
      const path = '/v0/webhooks/sendTestEvent';
      return showData(io, await call({ method: 'POST', path, body: { type } }));
    }
    const story = STORIES[type];
    if (!story) throw new CommandError(EXIT.usage, `${type} has no story yet: add --sample.`);
    const asks = MOVES_CLOCK.has(type);
    const what = `trigger ${type}${asks ? ', which moves the test clock by a month' : ''}`;
    await confirmWrite(io, { call, pair, what, asks, yes: flags.yes });
    const { order, payment, subscription } = await story({ io, call });
    const made = { order: order.number, payment: payment.id, subscription: subscription?.id ?? null };
    showData(io, { event: type, ...made });
  });
}
