/**
 * A client may send further requests before it has read the answers to those before. Without a bound one connection
 * makes us work on thousands at once and keep all their answers for a reader that never comes.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../domain/errors.ts';

/** Requests of one connection that are at work or wait for their answer to be read. */
export const IN_FLIGHT_MAX = 32;
/** Bytes of answers that are not wholly sent, where more than one is not. A single large one is its reader's business. */
export const UNSENT_BYTES_MAX = 4 * 1024 * 1024;

/** The answers of a connection that are not wholly sent, with their bytes once these are known. */
type Answers = Map<FastifyReply['raw'], number>;

/** Closes connections beyond these bounds. Before all other hooks, since what is closed does nothing more. */
export function boundPipelining(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Answers>();

  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { socket } = raw;
    const answers = connections.get(socket) ?? new Map();
    connections.set(socket, answers);
    // Of one that its client has reset since, the system tells no address any more: there is nobody to answer.
    if (answers.size >= IN_FLIGHT_MAX || socket.remoteAddress === undefined) socket.destroy();
    // What was read with what broke the bound is still handed to us: it must do nothing.
    if (socket.destroyed) throw new Refusal('rate_limited');
    answers.set(reply.raw, 0);
    reply.raw.once('close', () => answers.delete(reply.raw));
    done();
  });

  app.addHook('onSend', ({ raw: { socket } }, reply, payload: unknown, done) => {
    done();
    const answers = connections.get(socket);
    if (!answers || answers.size < 2 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return;
    answers.set(reply.raw, payload.length);
    let unsent = 0;
    for (const bytes of answers.values()) unsent += bytes;
    if (unsent > UNSENT_BYTES_MAX) socket.destroy();
  });
}
