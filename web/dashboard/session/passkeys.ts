/** Passkeys, by what the browser itself knows of their JSON forms. */
import { ApiError, call } from '../api/client.ts';
import type { SignInAnswer } from './sign-in-answer.ts';

interface Options<T> {
  options: T;
}

const stop = () =>
  new ApiError({ status: 0, code: 'passkey_stopped', message: 'The browser did not give a passkey.' });

/** What the browser shows of a passkey. */
export async function assertPasskey(): Promise<unknown> {
  const { options } = await call<Options<PublicKeyCredentialRequestOptionsJSON>>({
    method: 'POST',
    store: null,
    path: '/v0/session/passkey/options',
    plain: true,
  });
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw stop();
  return credential.toJSON();
}

export async function signInWithPasskey(): Promise<SignInAnswer> {
  const assertion = await assertPasskey();
  return call({
    method: 'POST',
    store: null,
    path: '/v0/session/passkey/verify',
    body: { assertion },
    plain: true,
  });
}

/** The proof that a dangerous step asks for. */
export async function proveWithPasskey(): Promise<void> {
  const assertion = await assertPasskey();
  const body = { method: 'passkey', assertion };
  await call({ method: 'POST', store: null, path: '/v0/session/reauthenticate', body, plain: true });
}

export async function createPasskey(name: string): Promise<void> {
  const { options } = await call<Options<PublicKeyCredentialCreationOptionsJSON>>({
    method: 'POST',
    store: null,
    path: '/v0/account/passkeys/options',
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw stop();
  const body = { credential: credential.toJSON(), name };
  await call({ method: 'POST', store: null, path: '/v0/account/passkeys/create', body });
}
