/** Invariants 35 to 39: connections, and what their processors' books say. */
import { type Invariant, sameStore, uniqueIndexStands } from './invariant.ts';

export const PROCESSORS: readonly Invariant[] = [
  {
    number: 35,
    name: 'what a connection has taken names the object that took it',
    sql: `
      select workspace_id, test_mode, id, processor from charges
      where status = 'succeeded' and connection_id is not null and processor <> 'manual' and processor_id is null`,
  },
  {
    number: 35,
    name: 'an object of a connection is one charge alone: the unique index stands',
    sql: uniqueIndexStands('charges_of_object'),
  },
  {
    number: 36,
    name: 'a movement of a processor counts once: the unique index stands',
    sql: uniqueIndexStands('processor_movements_once'),
  },
  {
    number: 36,
    name: 'a movement of a processor is linked to what it is of, or posted by itself',
    sql: `
      select m.workspace_id, m.test_mode, m.id, m.kind, m.status from processor_movements m
      where (m.status = 'linked') <> (m.charge_id is not null)
        or (m.status = 'posted' and (m.amount <> 0 or m.fee <> 0) and not exists (
          select from ledger_entries l where ${sameStore('l', 'm')} and l.source_id = m.id))`,
  },
  {
    number: 36,
    name: 'a charge takes money once: it has one movement',
    sql: `
      select workspace_id, test_mode, charge_id, count(*) as movements from processor_movements
      where kind = 'charge' and status = 'linked'
      group by workspace_id, test_mode, charge_id having count(*) > 1`,
  },
  {
    number: 37,
    name: 'what the last comparison with a processor could not explain was acknowledged',
    sql: `
      select r.workspace_id, r.test_mode, r.id, r.connection_id, r.counts from (
        select distinct on (workspace_id, test_mode, connection_id) * from processor_reports
        order by workspace_id, test_mode, connection_id, created_at desc, id desc
      ) r
      where r.acknowledged_at is null and ((r.counts ->> 'missing_money')::bigint > 0
        or (r.counts ->> 'unknown_money')::bigint > 0 or (r.counts ->> 'amount_differs')::bigint > 0)`,
  },
  {
    number: 38,
    name: 'no credential is kept unsealed',
    sql: `
      select workspace_id, test_mode, id, 'credentials' as what from processors
      where credentials <> 'lost' and credentials not like 'v1.%'
      union all
      select workspace_id, test_mode, id, 'secret' from processor_endpoints
      where secret <> 'lost' and secret not like 'v1.%'`,
  },
  {
    number: 39,
    name: 'who was charged unasked was charged by a process that had read what happened before',
    sql: `
      select c.workspace_id, c.test_mode, c.id, c.sent_by, c.sent_at from charges c
      where c.off_session and c.sent_by is not null
        and exists (
          select from processor_backfills b where ${sameStore('b', 'c')} and b.connection_id = c.connection_id)
        and not exists (
          select from processor_backfills b
          where ${sameStore('b', 'c')} and b.connection_id = c.connection_id
            and b.process_id = c.sent_by and b.ended_at <= c.sent_at)`,
  },
];
