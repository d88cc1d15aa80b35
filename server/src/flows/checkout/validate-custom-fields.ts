/** Asks the merchant's own validators about what the buyer filled in, before anything is written. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { type InputIssue, Refusal } from '../../domain/errors.ts';
import { USER_AGENT } from '../../net/user-agent.ts';
import { signWebhook, underAllNames } from '../../net/webhook-signature.ts';

const TIMEOUT_MS = 5_000;

/**
 * POSTs `{key: value}`, signed like a webhook where a secret is set; 200 = valid. A validator that cannot be
 * reached makes the value not valid, with a sentence that asks for another try. Refuses custom_field_invalid.
 */
export async function validateCustomFields(
  ctx: Context,
  definitions: ReadonlyArray<Row<'customFields'>>,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const asked = definitions.filter(
    ({ key, validationUrl }) => validationUrl !== null && Object.hasOwn(values, key),
  );
  const answers = await Promise.all(
    asked.map((definition) => askValidator(ctx, definition, values[definition.key] ?? '')),
  );
  const issues = answers.filter((issue) => issue !== null);
  const [first] = issues;
  if (!first) return;
  throw new Refusal('custom_field_invalid', { message: `${first.path} ${first.message}`, details: issues });
}

async function askValidator(
  ctx: Context,
  { key, validationUrl, validationSecret }: Row<'customFields'>,
  value: string,
): Promise<InputIssue | null> {
  const realMs = ctx.realNowMs();
  const body = JSON.stringify({ [key]: value });
  const signature = validationSecret
    ? signWebhook({
        id: ctx.ids.next(realMs),
        timestampS: Math.floor(realMs / 1000),
        body,
        secrets: [validationSecret],
      })
    : {};
  const result = await ctx.egress.send({
    method: 'POST',
    url: validationUrl ?? '',
    headers: underAllNames(
      { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signature },
      ctx.config.nameAliases,
    ),
    body,
    timeoutMs: TIMEOUT_MS,
  });
  const path = `customFields.${key}`;
  if (result.kind === 'failed') {
    ctx.log.info({ key, error: result.error }, 'a validator of a custom field gave no answer');
    return { path, message: 'could not be checked just now: please try again in a moment', retry: true };
  }
  return result.statusCode === 200 ? null : { path, message: 'is not valid' };
}
