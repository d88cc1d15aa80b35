/** What probes ask of a process that listens nowhere else. */
import type { Health } from '../http/health.ts';
import { type ServedBeside, serveBeside } from './serve-beside.ts';

export function serveHealth(health: Health, place: { port: number; host: string }): Promise<ServedBeside> {
  return serveBeside(async (path, response) => {
    const answer = await health.answer(path);
    if (answer === null) return response.writeHead(404).end();
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' });
    return response.end(JSON.stringify(answer.body));
  }, place);
}
