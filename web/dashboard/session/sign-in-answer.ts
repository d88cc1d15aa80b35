/** What the ways in answer, and how their refusals are said. */
import { ApiError } from '../api/client.ts';
import type { Session } from '../api/objects.ts';
import type { useLocale } from '../ui/locale.tsx';

export interface SecondFactor {
  methods: string[];
}

export interface SignInAnswer {
  session?: Session | null;
  secondFactor?: SecondFactor | null;
}

type Say = ReturnType<typeof useLocale>['t'];

/** Refusals of the ways in, in words that name what to do. */
export function describe(error: unknown, t: Say): string {
  if (!(error instanceof ApiError)) return t('signIn.stopped');
  if (error.code === 'invalid_credentials') return t('signIn.wrong');
  if (error.code === 'too_many_attempts') return t('signIn.tooMany', { seconds: error.retryAfterS ?? 60 });
  return error.message;
}

/** What the identity provider's way back says of why nobody was let in. */
export function describeReturn(code: string, t: Say): string {
  if (code === 'identity_unknown') return t('signIn.unknownIdentity');
  if (code === 'reauthentication_required') return t('signIn.oldIdentity');
  if (code === 'oidc_unavailable') return t('signIn.noProvider');
  return t('signIn.stopped');
}
