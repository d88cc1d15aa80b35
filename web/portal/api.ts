/** What the screens ask of the portal's operations. */
import { type Answer, request } from '../ui/api.ts';

export type { Answer } from '../ui/api.ts';

export interface Portal {
  base: string;
  /** `{slug}` or `{slug}/test`. */
  store: string;
  slug: string;
  testMode: boolean;
}

export interface Asking {
  get<T>(path: string): Promise<Answer<T>>;
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Answer<T>>;
}

/**
 * `prove` is asked where the session is over, or the last proof too old: once it has come true the same is asked again,
 * so that nothing that was typed is lost. `findShown`: the buyer whose things the page shows; somebody else who has signed
 * in beside it, in another tab, is not taken for them.
 */
export function createAsking(
  store: string,
  prove: () => Promise<boolean>,
  findShown = (): string | null => null,
): Asking {
  const ask = async <T>(path: string, init: RequestInit, isAgain = false): Promise<Answer<T>> => {
    const shown = findShown();
    const headers = {
      'x-svc-store': store,
      'content-type': 'application/json',
      ...(shown === null ? {} : { 'x-svc-buyer': shown }),
    };
    const answer = await request<T>(`/v0/portal${path}`, { ...init, headers });
    const isRefused = answer.kind === 'refused' && NEEDS_PROOF.has(answer.code);
    return isRefused && !isAgain && (await prove()) ? ask(path, init, true) : answer;
  };
  return {
    get: (path) => ask(path, { method: 'GET' }),
    send: (method, path, body = {}) => ask(path, { method, body: JSON.stringify(body) }),
  };
}

const NEEDS_PROOF: ReadonlySet<string> = new Set(['session_required', 'reauthentication_required']);
