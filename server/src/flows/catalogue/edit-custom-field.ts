/** Creating and changing custom fields: the rules that a schema cannot say. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { violatedKey } from '../../db/transaction.ts';
import { checkPattern } from '../../domain/custom-fields.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { requireWords } from '../../domain/require-words.ts';
import { namesHost } from '../../domain/web-address.ts';
import {
  insertCustomField,
  lockCustomField,
  lockCustomFieldCount,
  updateCustomField,
} from '../../resources/custom-fields/custom-fields.queries.ts';
import type {
  CreateCustomField,
  UpdateCustomField,
} from '../../resources/custom-fields/custom-fields.schema.ts';

type CreateInput = Static<typeof CreateCustomField>;
type UpdateInput = Static<typeof UpdateCustomField>;
interface Change {
  before: Row<'customFields'>;
  after: Row<'customFields'>;
}
/** A whole definition: what the rules are checked on. */
type Whole = Pick<Row<'customFields'>, 'type' | 'options' | 'pattern' | 'validationUrl' | 'validationSecret'>;

/** Unarchived definitions of a store: every quote reads and checks them all. */
const CUSTOM_FIELDS_MAX = 50;

/** Refuses with custom_field_limit_reached. */
export async function createCustomField(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: CreateInput },
): Promise<Row<'customFields'>> {
  requireWords({ label: input.label });
  const { options = [], pattern = null, validationUrl = null, validationSecret = null } = input;
  checkWhole({ type: input.type, options, pattern, validationUrl, validationSecret });
  if ((await lockCustomFieldCount(tx, scope)) >= CUSTOM_FIELDS_MAX) {
    throw new Refusal('custom_field_limit_reached');
  }
  return explainConflict(() =>
    insertCustomField(tx, scope, {
      ...input,
      id: ctx.ids.next(ctx.nowMs),
      options: toJson(options),
      createdAt: ctx.nowMs,
    }),
  );
}

/** Missing fields stay as they are; what is said is checked together with what stays. */
export async function changeCustomField(
  scope: Scope,
  { tx, id, input }: { tx: Tx; id: string; input: UpdateInput },
): Promise<Change> {
  requireWords({ label: input.label });
  const before = await lockCustomField(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const { id: _id, options, ...changes } = input;
  checkWhole({ ...before, ...changes, options: options ?? before.options });
  const after = await explainConflict(() =>
    updateCustomField(tx, scope, { ...changes, id, options: options && toJson(options) }),
  );
  return { before, after };
}

/** Buyers are asked again. Refuses with key_taken, and with custom_field_limit_reached. */
export async function unarchiveCustomField(
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<Change> {
  const before = await lockCustomField(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.archivedAt !== null && (await lockCustomFieldCount(tx, scope)) >= CUSTOM_FIELDS_MAX)
    throw new Refusal('custom_field_limit_reached');
  const after = await explainConflict(() => updateCustomField(tx, scope, { id, archivedAt: null }));
  return { before, after };
}

/** Frees the key; what buyers answered stays with their orders. */
export async function archiveCustomField(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<Change> {
  const before = await lockCustomField(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const after = await updateCustomField(tx, scope, { id, archivedAt: before.archivedAt ?? ctx.nowMs });
  return { before, after };
}

function checkWhole({ type, options, pattern, validationUrl, validationSecret }: Whole): void {
  if (type === 'dropdown') {
    if (options.length === 0) throw invalidField('options', 'are required for type dropdown');
    if (pattern !== null) throw invalidField('pattern', 'is only possible for type text');
  } else if (options.length > 0) {
    throw invalidField('options', 'are only possible for type dropdown');
  }
  if (pattern !== null) checkPattern(pattern);
  if (validationUrl !== null) checkUrl(validationUrl);
  else if (validationSecret !== null) throw invalidField('validationSecret', 'needs a validationUrl');
}

/** The form alone: where the name leads is asked at each call, since it may lead elsewhere by then. */
function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !namesHost(text)) {
    throw invalidField('validationUrl', 'must be an http(s) URL');
  }
  if (url.username || url.password) {
    throw invalidField('validationUrl', 'must not carry a user name or password');
  }
}

async function explainConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedKey(error) === 'custom_fields_key')
      throw new Refusal('key_taken', { cause: error, details: [{ path: 'key', message: 'is taken' }] });
    throw error;
  }
}
