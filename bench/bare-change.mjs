/**
 * What a purchase or a refund leaves in the tables, found by looking before and after, as statements that leave the
 * same again: the least that a program could send. Ids are new ones each time, and what must be unique is.
 */
import pg from 'pg';

const SETTLE_MS = 2_000;
/** What is noted in batches of many requests, or by the minute: no part of one change. */
const BESIDE = ['request_log', 'request_log_sizes', 'api_key_uses', 'workspace_activity', 'upkeep'];

/**
 * Has `make` change something, and answers the statements that change as much. `targets`: rows that are changed but
 * not made, as ids in an order of the caller's; a replay may be given others in their place.
 */
export async function recordChange(store, { make, targets = [] }) {
  const client = new pg.Client({
    connectionString: store.url,
    types: { getTypeParser: () => (text) => text },
  });
  await client.connect();
  try {
    const tables = await listTables(client);
    const before = await readAll(client, tables);
    await make();
    // What is done after the answer, such as a mail that is written, is part of it.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const after = await readAll(client, tables);
    const changes = tables.flatMap((table) => compare(table, before.get(table.name), after.get(table.name)));
    return toStatements(changes, targets);
  } finally {
    await client.end();
  }
}

/** In an order in which each comes after those it refers to. */
async function listTables(client) {
  const { rows } = await client.query(
    `select c.relname as name, i.indisprimary as is_primary,
       array_to_string(array(select a.attname from unnest(i.indkey) k join pg_attribute a
         on a.attrelid = c.oid and a.attnum = k), ',') as key
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisunique
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const { rows: references } = await client.query(
    `select conrelid::regclass::text as name, confrelid::regclass::text as referred from pg_constraint
     where contype = 'f' and conrelid <> confrelid and not condeferrable`,
  );
  const names = [...new Set(rows.map(({ name }) => name))].filter((name) => !BESIDE.includes(name)).sort();
  const sorted = [];
  const visit = (name) => {
    if (sorted.includes(name)) return;
    for (const { referred } of references.filter((one) => one.name === name)) visit(referred);
    sorted.push(name);
  };
  for (const name of names) visit(name);
  return sorted.map((name) => {
    const own = rows.filter((row) => row.name === name);
    const uniques = own.map(({ key }) => key.split(','));
    return { name, uniques, key: own.find((row) => row.is_primary === 't')?.key.split(',') ?? uniques[0] };
  });
}

async function readAll(client, tables) {
  const all = new Map();
  for (const { name, key } of tables) {
    const { rows, fields } = await client.query(`select * from ${name}`);
    const byKey = rows.map((row) => [key.map((column) => row[column]).join(), row]);
    all.set(name, {
      rows: new Map(byKey),
      types: new Map(fields.map((field) => [field.name, field.dataTypeID])),
    });
  }
  return all;
}

function compare(table, before, after) {
  const changes = [];
  for (const [key, row] of after.rows) {
    const old = before.rows.get(key);
    const columns = Object.keys(row).filter((column) => !old || row[column] !== old[column]);
    if (columns.length > 0) changes.push({ table, types: after.types, row, old, columns });
  }
  return changes;
}

const UUID = 2950;
const TEXT = 25;
const INTEGERS = new Set([20, 23, 1700]);

/** `values`: texts that are sent as they are, or what a replay puts there (see `replayChange`). */
function toStatements(changes, targets) {
  const made = changes.filter(({ old }) => !old);
  const known = new Set(
    changes.flatMap(({ old, row }) => [row.workspace_id, ...(old ? Object.values(old) : [])]),
  );
  const ids = new Set(
    made.flatMap(({ row, types }) =>
      Object.entries(row).flatMap(([column, value]) => (types.get(column) === UUID ? [value] : [])),
    ),
  );
  const fresh = [...ids].filter(
    (id) => id !== null && !known.has(id) && !targets.includes(id) && isMade(made, id),
  );
  const toValue = (value, isUnique) => {
    if (targets.includes(value)) return { target: targets.indexOf(value) };
    if (fresh.includes(value)) return { id: fresh.indexOf(value) };
    return isUnique ? { unique: value } : value;
  };
  const tables = [...new Set(made.map(({ table }) => table))];
  const inserts = tables.map((table) =>
    toInsert(
      made.filter((change) => change.table === table),
      { toValue, fresh },
    ),
  );
  // What many wait for is locked last.
  const shared = changes.filter(({ old }) => old).sort((a, b) => Number(isShared(a)) - Number(isShared(b)));
  return [...inserts, ...shared.map((change) => toUpdate(change, toValue))];
}

/** Whether the id is that of a row that was made, and not of one that was there. */
function isMade(made, id) {
  return (
    made.some(({ row, table }) => table.key.some((column) => row[column] === id)) ||
    made.some(({ row }) => row.idempotency_key === id)
  );
}

function isShared({ table }) {
  return table.name === 'invoice_series' || table.name === 'offers';
}

/** All rows of a table in one statement: the ledger takes an entry whole. */
function toInsert(changes, { toValue, fresh }) {
  const [{ table, row }] = changes;
  const columns = Object.keys(row);
  const values = [];
  const rows = changes.map((change) => {
    const unique = listUnique(change, fresh);
    const places = columns.map(
      (column) => `$${values.push(toValue(change.row[column], unique.has(column)))}`,
    );
    return `(${places.join(', ')})`;
  });
  const names = columns.map((column) => `"${column}"`).join(', ');
  return { text: `insert into ${table.name} (${names}) values ${rows.join(', ')}`, values };
}

/** Columns of unique keys that no new id makes unique. */
function listUnique({ table, types, row }, fresh) {
  const unique = new Set();
  for (const key of table.uniques) {
    if (key.some((column) => fresh.includes(row[column]))) continue;
    const text = key.find((column) => types.get(column) === TEXT);
    const chosen = text ?? key.findLast((column) => INTEGERS.has(types.get(column)));
    if (chosen && row[chosen] !== null) unique.add(chosen);
  }
  return unique;
}

/** A number that grew grows by as much; anything else is set. */
function toUpdate({ table, types, row, old, columns }, toValue) {
  const values = [];
  const place = (value) => `$${values.push(value)}`;
  const sets = columns.map((column) => {
    const isGrown = INTEGERS.has(types.get(column)) && old[column] !== null && Number(row[column]) < 1e12;
    return isGrown
      ? `"${column}" = "${column}" + ${place(String(Number(row[column]) - Number(old[column])))}`
      : `"${column}" = ${place(toValue(row[column], false))}`;
  });
  const where = table.key.map((column) => `"${column}" = ${place(toValue(row[column], false))}`);
  return { text: `update ${table.name} set ${sets.join(', ')} where ${where.join(' and ')}`, values };
}

let count = 0;

/** Sends the statements one after the other in one transaction, prepared. `targets` take the places of those recorded. */
export async function replayChange(pool, { statements, newId, targets = [] }) {
  count += 1;
  const number = count;
  const ids = [];
  const toSent = (value) => {
    if (value === null || typeof value === 'string') return value;
    if (value.target !== undefined) return targets[value.target];
    if (value.id !== undefined) {
      ids[value.id] ??= newId();
      return ids[value.id];
    }
    return /^\d+$/.test(value.unique) ? String(1e9 + number) : `${value.unique}-${process.pid}-${number}`;
  };
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const [index, { text, values }] of statements.entries()) {
      await client.query({ name: `change ${index} ${text.length}`, text, values: values.map(toSent) });
    }
    await client.query('commit');
  } finally {
    client.release();
  }
}
