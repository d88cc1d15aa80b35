/** What a consumer is asked to agree to before they buy, in words that never change under their version. */
import type { BuyerForm } from '../checkout/buyer.ts';
import { type InputIssue, Refusal } from '../errors.ts';
import { toLanguage } from '../languages.ts';
import type { ConsumerBlock } from '../settings-blocks.ts';
import { toCanonicalJson } from './canonical-json.ts';
import { CONSENT_TEXTS } from './consent-texts.ts';
import { isConsumerCountry, type Withdrawable } from './right.ts';

export const CONSENT_KINDS = ['content', 'service'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** A sentence as it stands beside its box. */
export interface ConsentText {
  kind: ConsentKind;
  text: string;
  textVersion: string;
  language: string;
}

export interface Asking {
  settings: ConsumerBlock;
  form: Pick<BuyerForm, 'countryCode' | 'type'>;
  /** What is paid now. */
  dueNowMinor: bigint;
  /** Of each line. */
  kinds: readonly Withdrawable[];
}

/** The boxes that this buyer sees above the button: one of each kind that they buy. */
export function listAskedConsents({ settings, form, dueNowMinor, kinds }: Asking): ConsentKind[] {
  const isAsked = settings.consent !== 'off' && form.type === 'individual' && dueNowMinor > 0n;
  if (!isAsked || !isConsumerCountry(form.countryCode)) return [];
  return CONSENT_KINDS.filter((kind) => kinds.includes(kind));
}

/** The newest words of a kind; a language without any that somebody has looked over is answered in English. */
export function getConsentText(kind: ConsentKind, language: string): ConsentText {
  const own = CONSENT_TEXTS.findLast((text) => text.language === toLanguage(language) && text.reviewed);
  const texts = own ?? CONSENT_TEXTS.findLast((text) => text.language === 'en');
  if (!texts) throw new Error('the English words are always there');
  return { kind, text: texts[kind], textVersion: texts.version, language: texts.language };
}

/** A tick in a box that the page has shown, by what names its words. */
export type Tick = Pick<ConsentText, 'kind' | 'textVersion' | 'language'>;

/** What was agreed to. Refuses words that never stood anywhere, and where the shop insists a box left empty. */
export function takeConsents(
  asking: Asking & { isInsisting: boolean },
  ticks: readonly Tick[],
): ConsentText[] {
  const asked = listAskedConsents(asking);
  const missing = asked.filter((kind) => !ticks.some((tick) => tick.kind === kind));
  const isRequired = asking.settings.consent === 'require' && asking.isInsisting;
  if (isRequired && missing.length > 0) {
    const details = missing.map((kind): InputIssue => ({ path: `consents.${kind}`, message: 'is required' }));
    throw new Refusal('consent_required', { details });
  }
  return ticks.filter(({ kind }) => asked.includes(kind)).map(findText);
}

function findText({ kind, textVersion, language }: Tick): ConsentText {
  const texts = CONSENT_TEXTS.find((one) => one.version === textVersion && one.language === language);
  if (texts) return { kind, text: texts[kind], textVersion, language };
  const issue = { path: `consents.${kind}`, message: 'names words that the page does not have' };
  throw new Refusal('invalid_input', { message: `${issue.path} ${issue.message}`, details: [issue] });
}

/** What is hashed of a consent. */
export interface ConsentStatement extends ConsentText {
  givenAt: number;
  orderNumber: string;
  email: string;
}

/** Its canonical JSON: what is hashed. */
export function writeConsent(consent: ConsentStatement): string {
  const { kind, text, textVersion, language, givenAt, orderNumber, email } = consent;
  return toCanonicalJson({ kind, text, textVersion, language, givenAt, orderNumber, email });
}
