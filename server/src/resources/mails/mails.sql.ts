/** The SQL by which mails to buyers are queued, beside events as well as alone. */
import { type RawBuilder, sql } from 'kysely';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { LANGUAGES, toPrimary } from '../../domain/languages.ts';

/** A mail to whoever bought the order. */
export interface BuyerMailRow {
  /** Null = a new one. */
  id: string | null;
  kind: string;
  key: string;
  /** Null = nobody bought, nobody is told. */
  orderId: string | null;
  paymentId: string | null;
  eventId: string | null;
  /** JSON. */
  params: string;
  createdAt: number;
  /** It is written and kept, and never sent. */
  heldBack: boolean;
}

/** What an insert of mails answers of each that is new. */
export type QueuedMail = Pick<Row<'mails'>, 'workspaceId' | 'testMode' | 'id' | 'createdAt'>;

/** The language that mails are written in and that a tag means; null where there is none. */
function toSpoken(tag: RawBuilder<unknown>): RawBuilder<unknown> {
  const primary = sql`lower(split_part(${tag}, '-', 1))`;
  return sql`(${[...LANGUAGES]}::text[])[array_position(${LANGUAGES.map(toPrimary)}::text[], ${primary})]`;
}

/** What the store `st` speaks where nobody has said what the buyer does; null where that is not set. */
export const SHOP_LANGUAGE = toSpoken(sql`st.settings #>> '{checkout,defaultLanguage}'`);

/**
 * An insert that returns the scope, id and `created_at` of what is new, for the queries that put the sending
 * into the queue. A buyer without an address, and one whose subscription holds notifications back, get none.
 */
export function toBuyerMailInsertion(scope: Scope, rows: readonly BuyerMailRow[]): RawBuilder<QueuedMail> {
  const values = rows.map(
    (mail) => sql`(
      ${mail.id}::uuid, ${mail.kind}::text, ${mail.key}::text, ${mail.orderId}::uuid, ${mail.paymentId}::uuid, ${mail.eventId}::uuid,
      ${mail.params}::jsonb, ${mail.createdAt}::bigint, ${mail.heldBack}::boolean)`,
  );
  // What is set for the user says more than the browser of one purchase, where mails are written in it.
  const spoken = sql`coalesce(${toSpoken(sql`u.language`)}, c.language, o.language, ${SHOP_LANGUAGE}, 'en')`;
  return sql<QueuedMail>`
    insert into mails (workspace_id, test_mode, id, kind, key, recipient, language, params, event_id, order_id,
      payment_id, subscription_id, created_at, held_back)
    select ${scope.workspaceId}::uuid, ${scope.testMode}::boolean, coalesce(m.id, uuid_v7(m.created_at)), m.kind, m.key, u.email,
      ${spoken}, m.params, m.event_id, o.id, m.payment_id, o.subscription_id, m.created_at, m.held_back
    from (values ${sql.join(values)})
      as m (id, kind, key, order_id, payment_id, event_id, params, created_at, held_back)
    join orders o on ${inScope(scope, 'o')} and o.id = m.order_id
    join users u on ${inScope(scope, 'u')} and u.id = o.user_id
    join stores st on ${inScope(scope, 'st')}
    left join checkout_sessions c on ${inScope(scope, 'c')} and c.id = o.session_id
    left join subscriptions s on ${inScope(scope, 's')} and s.id = o.subscription_id
    where u.email is not null and not coalesce(s.skip_notifications, false)
    -- Of its key and recipient, or of the id that follows from its period.
    on conflict do nothing
    returning workspace_id, test_mode, id, created_at`;
}

/** Puts what an insert of mails returned, as `new_mails`, into the queue of due work. */
export function toMailDueWork(scope: Scope): RawBuilder<unknown> {
  return sql`
    insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
    select m.workspace_id, m.test_mode, 'send_mail', m.id, m.created_at, m.created_at - s.clock_offset_ms
    from new_mails m join stores s on ${inScope(scope, 's')}`;
}
