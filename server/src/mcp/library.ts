/** The documentation, made at the first look into it. */
import type { FastifyInstance } from 'fastify';
import { readDescription } from '../http/description/kept-description.ts';
import { type Library, openLibrary } from '../http/docs/library.ts';
import type { Caller } from './caller.ts';

const libraries = new WeakMap<FastifyInstance['server'], Library>();

export function toLibrary({ app, service }: Pick<Caller, 'app' | 'service'>): Library {
  const known = libraries.get(app.server);
  if (known) return known;
  const opened = openLibrary(readDescription(service.config.publicUrl).description);
  libraries.set(app.server, opened);
  return opened;
}
