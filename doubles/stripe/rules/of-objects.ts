/** Rules of objects of one kind: how events are asked for, what a customer may be. */
import { type Rule, refused } from './rule.ts';

const API = 'https://docs.stripe.com/api';

export const OF_OBJECTS: readonly Rule[] = [
  {
    says: 'events are listed by a type or by types, not by both',
    page: `${API}/events/list#list_events-types`,
    try: async (stripe) => {
      const both = { type: 'charge.succeeded', types: ['charge.failed'] };
      await refused(stripe.events.list(both), { status: 400 });
    },
  },
  {
    says: 'events are listed by 20 types at most',
    page: `${API}/events/list#list_events-types`,
    try: async (stripe) => {
      const types = Array.from({ length: 21 }, () => 'charge.succeeded');
      await stripe.events.list({ types: types.slice(1) });
      await refused(stripe.events.list({ types }), { status: 400 });
    },
  },
  {
    says: 'what is no e-mail address is refused',
    page: 'https://docs.stripe.com/error-codes#email-invalid',
    try: async (stripe) => {
      await refused(stripe.customers.create({ email: 'ada' }), { status: 400, code: 'email_invalid' });
    },
  },
  {
    says: 'a list starts after nothing that is not there',
    page: 'https://docs.stripe.com/api/pagination',
    try: async (stripe) => {
      const list = stripe.paymentIntents.list({ starting_after: 'pi_none' });
      await refused(list, { status: 400, code: 'resource_missing', param: 'starting_after' });
    },
  },
];
