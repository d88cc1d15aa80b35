/** Custom fields: what a merchant asks every buyer, or the buyers of one project's products. */

import {
  archiveCustomField,
  changeCustomField,
  createCustomField,
  unarchiveCustomField,
} from '../flows/catalogue/edit-custom-field.ts';
import { type Route, read, write } from '../http/route.ts';
import { listCustomFields } from '../resources/custom-fields/custom-fields.queries.ts';
import {
  ArchiveCustomField,
  CreateCustomField,
  CustomFieldData,
  CustomFieldParams,
  CustomFieldsData,
  ListCustomFields,
  toCustomField,
  UpdateCustomField,
} from '../resources/custom-fields/custom-fields.schema.ts';
import { cutPage, toArchived, toPage } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/custom-fields/list',
  operationId: 'listCustomFields',
  tag: 'custom-fields',
  summary: 'List custom fields, newest first',
  query: ListCustomFields,
  data: CustomFieldsData,
  handler: async ({ db, scope, query, withSecret }) => {
    const page = toPage(query);
    const { projectId, term } = query;
    const filter = { projectId, term, archived: toArchived(query, withSecret) };
    const { rows, count } = await listCustomFields(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { customFields: cut.rows.map(toCustomField), count, ...cut.page };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/custom-fields/create',
  operationId: 'createCustomField',
  tag: 'custom-fields',
  summary: 'Ask buyers for one more thing at checkout',
  body: CreateCustomField,
  data: CustomFieldData,
  errors: ['key_taken', 'custom_field_limit_reached'],
  example: { key: 'nickname', label: 'In-game name', type: 'text', pattern: '[A-Za-z0-9_]{3,16}' },
  handler: async ({ ctx, tx, scope, body }) => {
    const row = await createCustomField(ctx, scope, { tx, input: body });
    return { customField: toCustomField(row) };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/custom-fields/:customFieldId/update',
  operationId: 'updateCustomField',
  tag: 'custom-fields',
  summary: 'Change a custom field',
  description: 'Missing fields stay as they are. What buyers have answered stays with their orders.',
  params: CustomFieldParams,
  body: UpdateCustomField,
  isEdit: true,
  data: CustomFieldData,
  errors: ['key_taken'],
  example: { label: 'Name in the game', required: false },
  handler: async ({ tx, scope, params, body, audit }) => {
    const { before, after } = await changeCustomField(scope, { tx, id: params.customFieldId, input: body });
    audit(toCustomField(before));
    return { customField: toCustomField(after) };
  },
});

const archive = write({
  method: 'PATCH',
  path: '/v0/custom-fields/:customFieldId/archive',
  operationId: 'archiveCustomField',
  tag: 'custom-fields',
  summary: 'Archive a custom field; its key is free again',
  params: CustomFieldParams,
  body: ArchiveCustomField,
  data: CustomFieldData,
  handler: async ({ ctx, tx, scope, params, audit }) => {
    const { before, after } = await archiveCustomField(ctx, scope, { tx, id: params.customFieldId });
    audit(toCustomField(before));
    return { customField: toCustomField(after) };
  },
});

const unarchive = write({
  method: 'PATCH',
  path: '/v0/custom-fields/:customFieldId/unarchive',
  operationId: 'unarchiveCustomField',
  tag: 'custom-fields',
  summary: 'Take a custom field back from the archive: buyers are asked again',
  params: CustomFieldParams,
  body: ArchiveCustomField,
  data: CustomFieldData,
  errors: ['key_taken', 'custom_field_limit_reached'],
  handler: async ({ tx, scope, params, audit }) => {
    const { before, after } = await unarchiveCustomField(scope, { tx, id: params.customFieldId });
    audit(toCustomField(before));
    return { customField: toCustomField(after) };
  },
});

export const customFieldRoutes: Route[] = [list, create, update, archive, unarchive];
