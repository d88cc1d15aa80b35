/** `webhooks verify`: whether a body is what was signed, or why not. */
import { readFile } from 'node:fs/promises';
import { verifyWebhook, WebhookVerificationError } from '../../../sdk/src/webhooks.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { type Own, withExample, withTalk } from '../own-command.ts';
import { readConfig } from '../profiles.ts';
import { nounOf } from '../program-nouns.ts';
import { showData } from '../show.ts';

const SECRET = 'COUNTERFOIL_WEBHOOK_SECRET';

interface Flags {
  header?: string[];
  secret?: string;
  tolerance?: string;
  scheme?: string;
}

export function addVerify({ io, program }: Own): void {
  const command = withTalk(nounOf(program, 'webhooks').command('verify [file]'))
    .description('say whether a body, of a file or stdin, is what was signed, or why not')
    .option('--header <line...>', "as they came: 'webhook-id: …', or x-svc-signature alone")
    .option('--secret <whsec>', `of the webhook or listener; else ${SECRET}, or what listen keeps`)
    .option('--tolerance <s>', 'how far the time of sending may lie from now', '300');
  withExample(
    command,
    "counterfoil webhooks verify body.json --header 'webhook-id: 018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f' 'webhook-timestamp: 1767225600' 'webhook-signature: v1,…'",
  );
  command.action(async (file: string | undefined, flags: Flags) => {
    const headers = Object.fromEntries((flags.header ?? []).map(toHeader));
    const secret = await findSecret(io, flags.secret);
    const toleranceS = Number(flags.tolerance);
    if (!Number.isInteger(toleranceS) || toleranceS < 0)
      throw new CommandError(EXIT.usage, `--tolerance is a number of seconds, not ${flags.tolerance}.`);
    const scheme = 'webhook-signature' in headers || !('x-svc-signature' in headers) ? 'standard' : 'svc';
    const body = await readBody(io, file);
    try {
      const nowMs = io.nowMs();
      const { id, type } = await verifyWebhook({ body, headers, secret, toleranceS, nowMs, scheme });
      showData(io, { valid: true, id, type });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      throw new CommandError(EXIT.findings, `Not valid, ${error.reason}: ${error.message}`, {
        code: error.reason,
      });
    }
  });
}

function toHeader(line: string): [string, string] {
  const at = line.indexOf(':');
  if (at < 1) throw new CommandError(EXIT.usage, `--header is 'name: value', not ${line}.`);
  return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
}

async function readBody(io: Io, file: string | undefined): Promise<string | Uint8Array> {
  if (file === undefined || file === '-') return io.readStdin();
  return readFile(file).catch(() => {
    throw new CommandError(EXIT.usage, `${file} cannot be read.`);
  });
}

async function findSecret(io: Io, given: string | undefined): Promise<string | string[]> {
  const named = given ?? io.env[SECRET];
  if (named) return named;
  const kept = Object.values((await readConfig(io)).listeners).map(({ secret }) => secret);
  if (kept.length > 0) return kept;
  throw new CommandError(EXIT.usage, `Whose secret? Say --secret, or set ${SECRET}.`);
}
