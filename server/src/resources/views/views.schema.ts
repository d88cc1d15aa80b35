/** Views of lists in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { EXPORTED_RESOURCES } from '../exports/exports.schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, StringEnum, Text, TextOrNone, Uuid } from '../shapes.ts';

const Resource = StringEnum(EXPORTED_RESOURCES, { description: 'The list, such as orders.' });

export const View = Answer('View', {
  object: StringEnum(['view']),
  id: Uuid(),
  resource: Type.String({ description: 'The list, such as orders.' }),
  name: Type.String(),
  query: Type.String({ description: 'The parameters of the list, as in an address.' }),
  columns: Type.Array(Type.String()),
  shared: Type.Boolean({ description: 'Whether everybody in the workspace sees it.' }),
  isOwn: Type.Boolean({ description: 'Whether whoever asks has made it.' }),
  createdAt: Ms(),
  updatedAt: Ms(),
});

const fields = {
  name: Text(100),
  query: TextOrNone(4000, { description: 'The parameters of the list, as in an address.' }),
  columns: Type.Array(Text(64), { maxItems: 100 }),
  shared: Type.Boolean({ description: 'Needs settings:write.' }),
};
export const CreateView = Body({
  resource: Resource,
  name: fields.name,
  query: fields.query,
  columns: Type.Optional(fields.columns),
  shared: Type.Optional(fields.shared),
});
export const UpdateView = Body({
  id: Type.Optional(Uuid()),
  name: Type.Optional(fields.name),
  query: Type.Optional(fields.query),
  columns: Type.Optional(fields.columns),
  shared: Type.Optional(fields.shared),
});
export const ViewParams = Type.Object({ viewId: Uuid() });
export const ListViews = Type.Object({ ...pageQuery, resource: Type.Optional(Resource) });
export const ViewData = Answer(null, { view: Component(View) });
export const ViewsData = Answer(null, { views: Type.Array(Component(View)), ...pageAnswer });

export function toView(row: Row<'views'>, asker: string): Static<typeof View> {
  const { id, resource, name, query, columns, shared, owner, createdAt, updatedAt } = row;
  return {
    object: 'view',
    ...{ id, resource, name, query, columns, shared },
    isOwn: owner === asker,
    ...{ createdAt, updatedAt },
  };
}
