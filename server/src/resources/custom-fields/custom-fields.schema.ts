/** Custom fields in the API: what a merchant asks a buyer at checkout. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { PATTERN_LENGTH_MAX, VALUE_LENGTH_MAX } from '../../domain/custom-fields.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Described,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
  Version,
} from '../shapes.ts';

const FieldType = StringEnum(['text', 'dropdown']);

export const CustomField = Answer('CustomField', {
  object: StringEnum(['custom_field']),
  id: Uuid(),
  key: Type.String({ description: 'Names the value in an item’s customFields and prefills it in a URL.' }),
  label: Type.String(),
  type: FieldType,
  required: Type.Boolean(),
  options: Type.Array(Type.String()),
  pattern: Nullable(Type.String({ description: 'RE2 syntax; the whole value must match.' })),
  validationUrl: Nullable(Type.String()),
  projectId: Nullable(Uuid()),
  version: Version(),
  archivedAt: Nullable(Ms()),
});

/** `svc-` begins the checkout page's own parameters. */
const Key = Text(64, { pattern: '^(?!svc-)[A-Za-z][A-Za-z0-9_-]*$' });
const Label = Text(150);

const fields = {
  required: Type.Optional(Type.Boolean()),
  options: Type.Optional(Type.Array(Text(VALUE_LENGTH_MAX), { maxItems: 500, uniqueItems: true })),
  pattern: Type.Optional(Nullable(Text(PATTERN_LENGTH_MAX))),
  validationUrl: Type.Optional(Nullable(Text(2048))),
  validationSecret: Type.Optional(Nullable(Text(256, { minLength: 16 }))),
  projectId: Type.Optional(Nullable(Uuid())),
};

export const CreateCustomField = Body({
  key: Described(Key, 'Names the value in an item’s customFields and prefills it in a URL.'),
  label: Label,
  type: FieldType,
  ...fields,
});
export const UpdateCustomField = Body({
  id: Type.Optional(Uuid()),
  key: Type.Optional(Described(Key, 'Names the value in an item’s customFields and prefills it in a URL.')),
  label: Type.Optional(Label),
  type: Type.Optional(FieldType),
  ...fields,
});
export const ArchiveCustomField = Body({ id: Type.Optional(Uuid()) });
export const CustomFieldParams = Type.Object({ customFieldId: Uuid() });
export const ListCustomFields = Type.Object({
  ...pageQuery,
  projectId: Type.Optional(Uuid()),
  term: Type.Optional(Type.String({ maxLength: 200, description: 'Part of its key or label.' })),
  ...statusQuery(['active', 'archived']),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});

export const CustomFieldData = Answer(null, { customField: Component(CustomField) });
export const CustomFieldsData = Answer(null, {
  customFields: Type.Array(Component(CustomField)),
  ...pageAnswer,
});

export function toCustomField(row: Row<'customFields'>): Static<typeof CustomField> {
  return {
    object: 'custom_field',
    id: row.id,
    key: row.key,
    label: row.label,
    type: row.type,
    required: row.required,
    options: row.options,
    pattern: row.pattern,
    validationUrl: row.validationUrl,
    projectId: row.projectId,
    version: row.version,
    archivedAt: row.archivedAt,
  };
}
