/**
 * Loaded before the service (`node --import`): counts what is sent to PostgreSQL, by text. At SIGUSR2 the counts
 * since the last one are written to the file of COUNTS_FILE; PostgreSQL need have no extension for it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const counts = new Map();
const send = pg.Client.prototype.query;

pg.Client.prototype.query = function query(config, ...rest) {
  const text = typeof config === 'string' ? config : (config.text ?? '');
  counts.set(text, (counts.get(text) ?? 0) + 1);
  return send.call(this, config, ...rest);
};

process.on('SIGUSR2', () => {
  const file = `${process.env.COUNTS_FILE}.${process.pid}`;
  // Whoever waits for the file must find it whole.
  writeFileSync(`${file}.new`, JSON.stringify([...counts]));
  renameSync(`${file}.new`, file);
  counts.clear();
});
