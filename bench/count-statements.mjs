/**
 * Loaded before the service (`node --import`): counts what is sent to PostgreSQL, by text. At SIGUSR2 the counts
 * since the last one are written to the file of COUNTS_FILE. The messages of the protocol are read as they leave, since the
 * driver lies within the built service; PostgreSQL need have no extension for it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';

const counts = new Map();
/** Of each connection the texts of what is prepared, by name; '' = the last one without a name. */
const preparedOf = new WeakMap();
const [QUERY, PARSE, BIND] = ['Q', 'P', 'B'].map((sign) => sign.charCodeAt(0));
/** The first message of a connection has no type: its length, and then the version of the protocol. */
const VERSION = 196_608;
const HEAD = 5;

for (const method of ['_write', '_writev']) {
  const write = Socket.prototype[method];
  Socket.prototype[method] = function count(data, ...rest) {
    const chunks = method === '_writev' ? data.map(({ chunk }) => chunk) : [data];
    for (const chunk of chunks) if (Buffer.isBuffer(chunk)) read(this, chunk);
    return write.call(this, data, ...rest);
  };
}

/** Messages are never cut apart. */
function read(socket, chunk) {
  if (!preparedOf.has(socket)) {
    if (chunk.length >= 8 && chunk.readInt32BE(4) === VERSION) preparedOf.set(socket, new Map());
    return;
  }
  for (let at = 0; at + HEAD <= chunk.length; at += chunk.readInt32BE(at + 1) + 1) {
    note(preparedOf.get(socket), chunk[at], chunk.subarray(at + HEAD));
  }
}

function note(prepared, type, body) {
  if (type === QUERY) add(readText(body, 0).text);
  if (type === PARSE) {
    const name = readText(body, 0);
    prepared.set(name.text, readText(body, name.end).text);
  }
  // The portal, then what it is made of.
  if (type === BIND) add(prepared.get(readText(body, readText(body, 0).end).text) ?? '');
}

function readText(body, from) {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), end: end + 1 };
}

const add = (text) => counts.set(text, (counts.get(text) ?? 0) + 1);

process.on('SIGUSR2', () => {
  const file = `${process.env.COUNTS_FILE}.${process.pid}`;
  // Whoever waits for the file must find it whole.
  writeFileSync(`${file}.new`, JSON.stringify([...counts]));
  renameSync(`${file}.new`, file);
  counts.clear();
});
