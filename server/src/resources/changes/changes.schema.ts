/** What has changed, in the API. */
import { Type } from 'typebox';
import { Answer, Ms, Nullable, Uuid } from '../shapes.ts';

export const ListChanges = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'Missing: from now on.' })),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '100 when missing.' })),
});

export const ChangesData = Answer(null, {
  changes: Type.Array(
    Answer(null, {
      changeId: Uuid({
        description:
          'What was told before is told apart by it and the object: rows of the last 10 s come again.',
      }),
      object: Type.String({ description: 'What was changed, such as order.' }),
      id: Nullable(Type.String({ description: 'Of the object, as its operation or event named it.' })),
      operation: Type.String({ description: 'The operation that was called, or the type of the event.' }),
      actor: Nullable(Type.String({ description: 'Who asked; null of what happened by itself.' })),
      createdAt: Ms(),
    }),
  ),
  cursor: Type.String(),
  reset: Type.Boolean({
    description: 'The cursor is too old, or the test store was emptied: what is shown is to be read anew.',
  }),
});
