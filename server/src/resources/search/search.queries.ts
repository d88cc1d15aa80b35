/** What a word finds in a store: each question is answered by an index of its own and a few rows at most. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { containing } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { toEmailTerms } from '../../domain/email.ts';

export interface Hit {
  object: string;
  /** As the API names it. */
  id: string;
  title: string;
  subtitle: string | null;
  /** The object on whose page it stands, where it has none of its own. */
  of: string | null;
}

const run = async (db: Db, query: RawBuilder<Hit>): Promise<Hit[]> => (await query.execute(db)).rows;

/** The one object of the store that has the id. */
export async function findById(db: Db, scope: Scope, id: string): Promise<Hit[]> {
  const one = (object: string, table: string, title: RawBuilder<unknown>, of = sql`null`) => sql`
    select ${object} as object, x.id::text as id, ${title} as title, null::text as subtitle, ${of}::text as of
    from ${sql.table(table)} x where ${inScope(scope, 'x')} and x.id = ${id}::uuid`;
  return run(
    db,
    sql<Hit>`${sql.join(
      [
        one('order', 'orders', sql`x.number`),
        one('payment', 'payments', sql`x.number`),
        sql`select 'subscription', s.number, s.number, null, null from subscriptions s
          where ${inScope(scope, 's')} and s.id = ${id}::uuid`,
        one('user', 'users', sql`coalesce(x.email, x.id::text)`),
        one('product', 'products', sql`x.name`),
        one('offer', 'offers', sql`coalesce(x.name, x.id::text)`, sql`x.product_id`),
        one('discount', 'discounts', sql`coalesce(x.discount_code, x.name, x.id::text)`),
        one('checkoutElement', 'checkout_elements', sql`coalesce(x.name, x.id::text)`),
        one('custom_field', 'custom_fields', sql`x.label`),
        one('webhook', 'webhooks', sql`x.url`),
        one('event', 'events', sql`x.type`),
        one('mail', 'mails', sql`coalesce(x.subject, x.kind)`),
        one('refund', 'refunds', sql`x.id::text`, sql`x.order_id`),
        one('invoice', 'invoices', sql`x.number`, sql`x.payment_id`),
        one('file', 'files', sql`x.file_name`),
        sql`select 'payment', p.id::text, p.number, null, null from charges c
          join payments p on ${inScope(scope, 'p')} and p.id = c.payment_id
          where ${inScope(scope, 'c')} and c.id = ${id}::uuid`,
      ],
      sql` union all `,
    )}`,
  );
}

/** Orders, payments and documents by their whole number. */
export async function findByNumber(db: Db, scope: Scope, number: string): Promise<Hit[]> {
  return run(
    db,
    sql<Hit>`
      select 'order' as object, o.id::text as id, o.number as title, u.email as subtitle, null::text as of
      from orders o join users u on ${inScope(scope, 'u')} and u.id = o.user_id
      where ${inScope(scope, 'o')} and o.number = ${number}
      union all
      select 'payment', p.id::text, p.number, p.type, null from payments p
      where ${inScope(scope, 'p')} and p.number = ${number} and p.number <> p.order_number
      union all
      select 'subscription', s.number, s.number, s.status, null from subscriptions s
      where ${inScope(scope, 's')} and s.number = ${number}`,
  );
}

export async function findDocument(db: Db, scope: Scope, number: string): Promise<Hit[]> {
  return run(
    db,
    sql<Hit>`select 'invoice' as object, i.id::text as id, i.number as title, i.kind as subtitle,
      i.payment_id::text as of from invoices i
      where ${inScope(scope, 'i')} and i.number = ${number}`,
  );
}

/** Users whose e-mail begins so, and the newest orders of the first of them. */
export async function findByEmail(db: Db, scope: Scope, { email, take }: { email: string; take: number }) {
  const [begun = ''] = toEmailTerms(email);
  const beginning = containing(begun).slice(1);
  return run(
    db,
    sql<Hit>`
      with found as (
        select u.id, u.email, u.username from users u
        where ${inScope(scope, 'u')} and u.email_normal like ${beginning} and u.archived_at is null
        order by u.email_normal limit ${take}
      ), orders_of as (
        select o.id, o.number, o.status from orders o
        where ${inScope(scope, 'o')} and o.user_id = (select id from found limit 1)
        order by o.created_at desc, o.id desc limit 5
      )
      select 'user' as object, f.id::text as id, f.email as title, f.username as subtitle,
        null::text as of from found f
      union all
      select 'order', o.id::text, o.number, o.status, null from orders_of o`,
  );
}

/** The order of a sold key, by the whole key or by the last four characters that are shown of it. */
export async function findByKey(db: Db, scope: Scope, { text, take }: { text: string; take: number }) {
  const condition =
    [...text].length === 4
      ? sql`right(k.key_text, 4) = ${text} and length(k.key_text) > 8`
      : sql`md5(k.key_text) = md5(${text}) and k.key_text = ${text}`;
  return run(
    db,
    sql<Hit>`select distinct 'order' as object, o.id::text as id, o.number as title, ${'key ••••'}::text || right(k.key_text, 4)
        as subtitle, null::text as of
      from (select * from offer_keys k where ${inScope(scope, 'k')} and k.order_id is not null and ${condition}
        limit ${take}) k
      join orders o on ${inScope(scope, 'o')} and o.id = k.order_id`,
  );
}

/** The catalogue and webhooks by words in their names, codes and hosts. */
export async function findByWords(db: Db, scope: Scope, { term, take }: { term: string; take: number }) {
  const pattern = containing(term);
  return run(
    db,
    sql<Hit>`
      (select 'product' as object, p.id::text as id, p.name as title, p.type as subtitle,
          null::text as of from products p
        where ${inScope(scope, 'p')} and p.archived_at is null and (p.name ilike ${pattern} or p.slug ilike ${pattern})
        order by p.created_at desc limit ${take})
      union all
      (select 'offer', o.id::text, coalesce(o.name, p.name), p.name, o.product_id::text from offers o
        join products p on ${inScope(scope, 'p')} and p.id = o.product_id
        where ${inScope(scope, 'o')} and o.archived_at is null and (o.name ilike ${pattern} or o.internal_id = ${term})
        order by o.created_at desc limit ${take})
      union all
      (select 'discount', d.id::text, coalesce(d.discount_code, d.name, d.id::text), d.name, null from discounts d
        where ${inScope(scope, 'd')} and d.archived_at is null
          and (d.discount_code ilike ${pattern} or d.name ilike ${pattern})
        order by d.created_at desc limit ${take})
      union all
      (select 'webhook', w.id::text, w.url, w.description, null from webhooks w
        where ${inScope(scope, 'w')} and w.deleted_at is null
          and split_part(split_part(w.url, '://', 2), '/', 1) ilike ${pattern}
        order by w.created_at desc limit ${take})`,
  );
}
