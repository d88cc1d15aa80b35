/** The first page of the portal. */
import { type Static, Type } from 'typebox';
import { Answer, Component, Minor, Ms, Nullable, StringEnum } from '../shapes.ts';
import { PortalListedOrder } from './for-buyers.schema.ts';
import { OwnSubscriptionsData } from './subscriptions.schema.ts';

const Need = Answer(null, {
  kind: StringEnum(['owed', 'card_expiring', 'key_waiting', 'authentication', 'deletion_due']),
  id: Nullable(Type.String({ description: 'The subscription, order or card that it is about.' })),
  amount: Nullable(Minor()),
  url: Nullable(Type.String({ description: 'Where it can be seen to.' })),
  at: Nullable(Ms()),
});
export type Need = Static<typeof Need>;

export const OverviewData = Answer(null, {
  needs: Type.Array(Need, { description: 'What the buyer should see to.' }),
  subscriptions: OwnSubscriptionsData.properties.subscriptions,
  nextPayments: Type.Array(
    Answer(null, {
      subscriptionId: Type.String({ description: 'The subscription that it is of.' }),
      date: Ms({ description: 'When it is charged.' }),
      value: Minor({ description: 'What is charged then, after discount and tax.' }),
    }),
    { description: 'Of the subscriptions of which something more is charged.' },
  ),
  orders: Type.Array(Component(PortalListedOrder)),
});
