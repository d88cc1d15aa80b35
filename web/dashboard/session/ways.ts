/** Which ways in this installation offers. */
import { useQuery } from '@tanstack/react-query';
import { type ApiError, call } from '../api/client.ts';

export interface Ways {
  password: boolean;
  link: boolean;
  passkey: boolean;
  oidc: { name: string } | null;
  signUp: boolean;
  /** Until whoever started it has made the owner's account theirs. */
  setUp: boolean;
}

const HOUR_MS = 3_600_000;

/** Undefined until it is known: then a password is what most have. */
export function useWays(): Ways | undefined {
  const { data } = useQuery<Ways, ApiError>({
    queryKey: ['ways'],
    queryFn: ({ signal }) => call({ store: null, path: '/v0/session/ways', plain: true, signal }),
    staleTime: HOUR_MS,
  });
  return data;
}

/** Browsers bind passkeys to a name, so that a host that is a number has none. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Where the browser goes to the identity provider. */
export const OIDC_START = '/v0/session/oidc/start';
/** The tab that was at the identity provider tells the one that waits. */
export const PROVED = 'cf-proved';

/** Whether this very page is where the identity provider sent a browser in which somebody is signed in. */
export function isBack(): boolean {
  const { search, pathname } = window.location;
  const query = new URLSearchParams(search);
  return query.get('proved') === '1' || (pathname.endsWith('/sign-in') && query.has('error'));
}
