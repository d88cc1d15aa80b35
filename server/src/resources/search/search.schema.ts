/** The search of the dashboard in the API. */
import { Type } from 'typebox';
import { Answer, Nullable, Text } from '../shapes.ts';

export const Search = Type.Object({
  q: Type.Optional(
    Text(512, {
      description:
        'A number or id, the beginning of an e-mail, a key or its last four characters, or words. Missing: nothing.',
    }),
  ),
  take: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, description: 'Of each kind; 5 when missing.' }),
  ),
});

export const SearchData = Answer(null, {
  groups: Type.Array(
    Answer(null, {
      object: Type.String(),
      hits: Type.Array(
        Answer(null, {
          id: Type.String(),
          title: Type.String({ description: 'What it is called.' }),
          subtitle: Nullable(Type.String({ description: 'What tells it apart; null: nothing.' })),
          path: Type.String({ description: 'Its page in the dashboard.' }),
        }),
        { description: 'The best, as many as `take`.' },
      ),
    }),
    { description: 'What was found, by kind.' },
  ),
});
