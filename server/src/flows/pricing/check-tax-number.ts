/** Whether a buyer's tax number holds, as the store wants it known: by form and check digit, or by asking. */
import type { Service, Step } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { checkTaxNumber, isInVies, type TaxNumberAnswer } from '../../domain/tax/tax-number.ts';
import { findSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

export interface NumberedBuyer {
  countryCode: string | null;
  type: 'individual' | 'company';
  taxNumber: string | null;
}

export interface NumberFinding {
  /** Null = form and check digit decide. */
  taxNumberValid: boolean | null;
  /** What the register said; null where it was not asked. */
  taxNumberAnswer: TaxNumberAnswer | null;
}

type AskingService = Pick<Service, 'db' | 'taxNumbers'>;

const BY_FORM: NumberFinding = { taxNumberValid: null, taxNumberAnswer: null };

/** Asks the register where that is wanted. Never within a transaction: it is another's server. */
export async function askTaxNumber(
  { taxNumbers }: Pick<Service, 'taxNumbers'>,
  settings: Settings,
  buyer: NumberedBuyer,
): Promise<NumberFinding> {
  const number = toAsked(settings, buyer);
  return number === null ? BY_FORM : toFinding(await taxNumbers.ask(number));
}

/** The same within a transaction: only what was heard before counts. */
export function recallTaxNumber(ctx: Step, settings: Settings, buyer: NumberedBuyer): NumberFinding {
  const number = toAsked(settings, buyer);
  return number === null ? BY_FORM : toFinding(ctx.taxNumbers.recall(number));
}

/** Asks for the buyers of subscriptions whose next payments are about to be reckoned within a transaction. */
export async function askSubscribers(
  service: AskingService,
  scope: Scope,
  subscriptionIds: readonly string[],
): Promise<void> {
  const settings = toSettings((await getStore(service.db, scope)).settings);
  if (settings.taxNumberCheck === 'format') return;
  await Promise.all(subscriptionIds.map((id) => askSubscriber(service, scope, { id, settings })));
}

async function askSubscriber(
  service: AskingService,
  scope: Scope,
  { id, settings }: { id: string; settings: Settings },
): Promise<void> {
  const subscription = await findSubscription(service.db, scope, id);
  // A test store may have been emptied in between.
  if (subscription) await askTaxNumber(service, settings, toNumberedBuyer(subscription.billingDetails));
}

/** Asks for one subscription's buyer, by details that may not be in the store yet. */
export async function askForDetails(
  service: AskingService,
  scope: Scope,
  details: Row<'subscriptions'>['billingDetails'],
): Promise<void> {
  const buyer = toNumberedBuyer(details);
  if (buyer.type !== 'company' || buyer.taxNumber === null) return;
  await askTaxNumber(service, toSettings((await getStore(service.db, scope)).settings), buyer);
}

export function toNumberedBuyer(details: Row<'subscriptions'>['billingDetails']): NumberedBuyer {
  return {
    countryCode: details?.countryCode ?? null,
    type: details?.type ?? 'individual',
    taxNumber: details?.taxNumber ?? null,
  };
}

export type TaxNumberWord = 'valid' | 'invalid' | 'unreachable';

/** What whoever typed a number is told of it; null where there is none to tell of. */
export function toTaxNumberWord(
  { type, countryCode, taxNumber }: NumberedBuyer,
  { taxNumberValid, taxNumberAnswer }: NumberFinding,
): TaxNumberWord | null {
  if (type !== 'company' || countryCode === null || taxNumber === null) return null;
  if (!checkTaxNumber(countryCode, taxNumber).valid) return 'invalid';
  if (taxNumberValid ?? true) return 'valid';
  return taxNumberAnswer?.outcome === 'invalid' ? 'invalid' : 'unreachable';
}

/** Null where nobody is asked: a number that is wrong by itself, or one that the register cannot know. */
function toAsked(settings: Settings, { countryCode, type, taxNumber }: NumberedBuyer): string | null {
  if (settings.taxNumberCheck === 'format' || type !== 'company') return null;
  if (countryCode === null || taxNumber === null) return null;
  const { valid, normalised } = checkTaxNumber(countryCode, taxNumber);
  return valid && isInVies(countryCode, normalised) ? normalised : null;
}

/** No answer is not valid: tax is never waived on a guess. */
function toFinding(answer: TaxNumberAnswer | null): NumberFinding {
  return { taxNumberValid: answer?.outcome === 'valid', taxNumberAnswer: answer };
}
