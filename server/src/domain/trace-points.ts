/**
 * Where the service says what it is about to do, for whoever traces it. As long as nobody listens nothing is said, and
 * what is said holds no value that somebody sent: what may stand in a log may stand here.
 */
import { channel } from 'node:diagnostics_channel';

/** Whose work it is. */
export interface TracedScope {
  workspaceId: string;
  testMode: boolean;
}

/** `key` is an object that beginning and end have in common. */
export interface RequestBegan {
  key: object;
  requestId: string;
  method: string;
}

export interface OperationBegan {
  key: object;
  /** Of the operation, or a page's template. */
  name: string;
}

export interface RequestEnded {
  key: object;
  /** Its template; null = there is no such route. */
  route: string | null;
  status: number;
  /** Null where nobody was identified. */
  scope: TracedScope | null;
  /** Of the pair that asked. */
  keyId: string | null;
  /** Of a refusal. */
  code: string | null;
}

export interface StatementRan {
  text: string;
  ms: number;
  failed: boolean;
}

export interface JobBegan {
  key: object;
  kind: string;
  /** What it is about: more than one where a job does many rows. */
  works: ReadonlyArray<{ refId: string; scope: TracedScope; failures: number }>;
}

export interface JobEnded {
  key: object;
  failed: boolean;
}

/** What work that was put, or that is done, is about: the work's own references, or events that it tells of. */
export interface WorkOf {
  ids: readonly string[];
}

export const requestBegan = channel('counterfoil:request:began');
export const operationBegan = channel('counterfoil:operation:began');
export const requestEnded = channel('counterfoil:request:ended');
export const statementRan = channel('counterfoil:statement:ran');
export const jobBegan = channel('counterfoil:job:began');
export const jobEnded = channel('counterfoil:job:ended');
const workPut = channel('counterfoil:work:put');
const workFound = channel('counterfoil:work:found');
export const WORK = { put: workPut, found: workFound };

/** Work is put into the queue. */
export function tellWorkPut(ids: () => string[]): void {
  if (workPut.hasSubscribers) workPut.publish({ ids: ids() } satisfies WorkOf);
}

/** Of work whose references the store has made, once a job knows what it is about. */
export function tellWorkFound(ids: () => string[]): void {
  if (workFound.hasSubscribers) workFound.publish({ ids: ids() } satisfies WorkOf);
}
