import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toWords } from '../ui/to-words.ts';
import { OPERATIONS } from './operations.ts';
import { nameField, nameOperation, partsOf } from './words.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** They write nothing that is kept, or belong to ways in that are told of by another name. */
const NOT_WRITTEN = new Set(
  'askForPasskey beginPasskey beginTotp calculateTax nextDeliveries openSetup openSignInLink previewPortalChange previewSubscriptionUpdate requestSignInLink showSecondFactor signInWithPasskey'.split(
    ' ',
  ),
);
/** What accounts do, beside the operations of the description. */
const OF_ACCOUNTS =
  'signIn signInFailed signInThrottled signOut reauthenticate lock revokeSession setUpAccount signUp changeEmail proveEmail changePassword resetPassword updateAccount enrolTotp removeTotp makeRecoveryCodes useRecoveryCode addPasskey removePasskey bindIdentity createAccount disableAccount enableAccount resetSecondFactor printLink updateInstallation holdInstallation resumeInstallation allowDevice denyDevice undoPortalEmail guardPortal holdWorkspace resumeWorkspace'.split(
    ' ',
  );

type Path = Record<string, { operationId?: string }>;
const operations: string[] = Object.values<Path>(read('../../../docs/openapi.json').paths).flatMap((path) =>
  Object.entries(path).flatMap(([method, { operationId }]) =>
    method === 'get' || operationId === undefined || NOT_WRITTEN.has(operationId) ? [] : [operationId],
  ),
);

it('are all that the filter offers', () => {
  expect([...OPERATIONS].sort()).toEqual([...new Set([...operations, ...OF_ACCOUNTS])].sort());
});

describe.each(['en', 'de'])('the words of %s', (language) => {
  const texts: Record<string, string> = read(`./texts/${language}.json`);
  const tName = (prefix: string, name: string) => texts[prefix + name] ?? toWords(name);

  it('tell of every operation that is written down, and none by its own name', () => {
    const untold = [...operations, ...OF_ACCOUNTS].filter((operation) => {
      const { noun } = partsOf(operation);
      const isWhole = texts[`operation.${operation}`] !== undefined;
      const isTold = nameOperation(operation, { tName }) !== toWords(operation);
      return !isWhole && (!isTold || texts[`auditNoun.${noun}`] === undefined);
    });
    expect(untold).toEqual([]);
  });
});

it('says what was done to what, and leaves what nobody knows as it is', () => {
  const texts: Record<string, string> = read('./texts/en.json');
  const tName = (prefix: string, name: string) => texts[prefix + name] ?? toWords(name);
  const told = ['archiveCheckoutElement', 'updateOrder', 'signIn', 'foldPaperBoat'].map((operation) =>
    nameOperation(operation, { tName }),
  );
  expect(told).toEqual(['Checkout archived', 'Order corrected', 'Signed in', 'Fold paper boat']);
});

it('calls a field by the word of its form, an area by its own, and else by what the log alone tells', () => {
  const texts: Record<string, string> = {
    'field.price': 'Preis',
    'area.orders': 'Bestellungen',
    'auditField.ref': 'Referenz',
    'field.state': 'Bundesland',
    'auditField.state': 'Stand',
  };
  const tName = (prefix: string, name: string) => texts[prefix + name] ?? toWords(name);
  const called = ['price', 'permissions.orders', 'items.ref', 'someThing'].map((path) =>
    nameField(path, { tName }),
  );
  expect(called).toEqual(['Preis', 'Bestellungen', 'Referenz', 'Some thing']);
  expect(['state', 'seller.state'].map((path) => nameField(path, { tName }))).toEqual([
    'Stand',
    'Bundesland',
  ]);
});
