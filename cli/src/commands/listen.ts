/** `listen`: its flags. */
import { createCall } from '../call.ts';
import { confirmWrite } from '../confirm.ts';
import { CommandError, EXIT } from '../io.ts';
import { listen, toForwardUrl } from '../listen/listen.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';

export function addListen({ io, program, catalogue: { eventTypes } }: Own): void {
  const command = withYes(withPair(program.command('listen')))
    .description('post events to an address that only this machine reaches')
    .requiredOption('--forward-to <url>', 'where they are posted, as a webhook would')
    .option('--events <a,b>', 'these types alone');
  withExample(command, 'counterfoil listen --forward-to http://localhost:4242/webhooks');
  command.action(async (flags: PairFlags & { forwardTo: string; events?: string }) => {
    const forwardTo = toForwardUrl(flags.forwardTo);
    const events = readTypes(flags.events, eventTypes);
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: 'listen', asks: false, yes: flags.yes });
    const report = createCall({ ...io, signal: new AbortController().signal }, pair);
    await listen(io, { call, report, pair, events, forwardTo, isJson: flags.json ?? false });
  });
}

/** Without words: all of them. */
export function readTypes(text: string | undefined, known: readonly string[]): string[] {
  const types = text === undefined ? [...known] : text.split(',').map((type) => type.trim());
  const wrong = types.find((type) => !known.includes(type));
  if (wrong !== undefined)
    throw new CommandError(EXIT.usage, `${wrong} is no type of event: ${known.join(', ')}.`);
  return types;
}
