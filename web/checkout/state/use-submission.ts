import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, getCheckout, submitCheckout } from '../../ui/api.ts';
import {
  type Choice,
  type FieldErrors,
  findMissing,
  findMissingTicks,
  needsPayment,
  type Paying,
  toFormBody,
  toSubmitBody,
} from '../../ui/form.ts';
import { describeField, type Locale, useLocale } from '../../ui/locale.tsx';
import type { ReadToken } from '../../ui/processor/fields.tsx';
import type { TextKey } from '../../ui/texts.ts';
import type { CheckoutView, ConsentBox, Quote, SessionView } from '../../ui/view.ts';
import { hasFieldPath } from '../field-paths.ts';
import { prepareReceipt } from '../later-receipt.tsx';
import { findOpenOrder } from './open-order.ts';
import type { PricedForm } from './use-priced-form.ts';

export interface Submission {
  isBusy: boolean;
  errors: FieldErrors;
  /** What the last press of the button came to, to be shown beside it. */
  notice: string | null;
  /** The page of an order that is to be paid first. */
  openOrder: string | null;
  /** Grows each time the buyer is told to look again. */
  refusals: number;
  clearError(path: string): void;
  /** Told how the processor's fields are read, as long as they stand on the page. */
  onFields(read: ReadToken | null): void;
  submit(codeDraft: string): Promise<void>;
}

interface SubmissionParts {
  view: CheckoutView;
  form: PricedForm;
  /** How it is paid where something is. */
  paying: Choice | null;
  ticked: ReadonlySet<ConsentBox['kind']>;
  onView(view: SessionView): void;
}

/** Buys at the price shown, or says why not and keeps everything that was typed. */
export function useSubmission({ view, form, paying, ticked, onView }: SubmissionParts): Submission {
  const locale = useLocale();
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [openOrder, setOpenOrder] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);
  const readToken = useRef<ReadToken | null>(null);

  const refuse = (found: FieldErrors, text: string | null) => {
    setErrors(found);
    setNotice(text);
    setRefusals((count) => count + 1);
  };

  // A view comes with the page, as the answer to a submit, or later from the bank: each may bring a decline.
  useEffect(() => {
    form.acceptQuote(view.quote);
    const text = view.lastError && locale.tCode('error.', view.lastError.code, view.lastError.message);
    if (text && paying?.option === 'card' && needsPayment(view, view.quote))
      refuse({ 'card.number': locale.t('card.declined') }, text);
    else setNotice(text);
  }, [view]);

  const askPrice = async (): Promise<Quote | undefined> => {
    const answer = await form.price();
    if (answer?.kind === 'ok') return answer.data.quote;
    if (answer?.kind === 'refused') refuse(...describeRefusal(locale, answer, view));
    else refuse({}, locale.t(answer ? 'notice.quoteLost' : 'notice.priceSame'));
    return undefined;
  };

  const takeAnswer = async (answer: Answer<{ checkout: SessionView }>, shown: Quote) => {
    if (answer.kind === 'lost') return refuse({}, locale.t('notice.lost'));
    if (answer.kind === 'refused' && answer.code === 'price_changed') {
      // A quote would not say it: what the buyer did before is told to whoever buys alone.
      const fresh = answer.quote ?? (await askPrice());
      if (!fresh) return;
      form.acceptQuote(fresh);
      return refuse({}, describeChange(locale, shown, fresh));
    }
    if (answer.kind === 'refused') {
      if (answer.code === 'checkout_expired') {
        // The page of what has ended leads on.
        const now = await getCheckout(view.apiUrl);
        if (now.kind === 'ok') return onView(now.data.checkout);
      }
      const [found, text] = describeRefusal(locale, answer, view);
      if (answer.code.startsWith('discount_') && !view.lockedFields.includes('discountCode')) {
        // The code was good when its price was shown: the page shows what it costs now.
        await form.price();
        found.discountCode ??= text;
      }
      if (answer.code === 'too_many_open_orders') setOpenOrder(findOpenOrder());
      return refuse(found, text);
    }
    onView(answer.data.checkout);
  };

  /** The price of what is on the page now; undefined when the buyer must look again before paying it. */
  const settlePrice = async (codeDraft: string): Promise<Quote | undefined> => {
    const isCodeOpen = codeDraft.trim() !== form.values.discountCode;
    if (!form.isPricing && !isCodeOpen && !form.problem) return form.quote;
    if (isCodeOpen) form.change({ discountCode: codeDraft.trim() });
    const fresh = await askPrice();
    if (!fresh) return undefined;
    if (fresh.codeError && isCodeOpen) {
      const { code, message } = fresh.codeError;
      refuse({ discountCode: locale.tCode('error.', code, message) }, null);
      return undefined;
    }
    if (fresh.total === form.quote.total && fresh.dueNow === form.quote.dueNow) return fresh;
    refuse({}, describeChange(locale, form.quote, fresh));
    return undefined;
  };

  /** What is sent to pay with; undefined where the processor's fields have told what they lack. */
  const settlePaying = async (chosen: Choice | null): Promise<Paying | null | undefined> => {
    if (chosen?.option !== 'token') return chosen;
    const read = (await readToken.current?.().catch(() => null)) ?? { problem: null };
    if ('token' in read) return { ...chosen, token: read.token };
    refuse({}, read.problem ?? locale.t('fields.failed'));
    return undefined;
  };

  const submit = async (codeDraft: string) => {
    if (isBusy) return;
    const used = needsPayment(view, form.quote) ? paying : null;
    const missing = {
      ...findMissing(form.values, view.fields, used),
      ...findMissingTicks(form.quote.consents, ticked),
    };
    if (Object.keys(missing).length > 0) {
      // findMissing names keys of the texts.
      const texts = Object.entries(missing).map(([path, key]) => [path, locale.t(key as TextKey)]);
      return refuse(Object.fromEntries(texts), locale.t('notice.fields'));
    }
    setBusy(true);
    prepareReceipt();
    setErrors({});
    setNotice(null);
    setOpenOrder(null);
    const quote = await settlePrice(codeDraft);
    const sent = quote && (await settlePaying(used));
    if (quote && sent !== undefined) {
      // The code may have been taken over a moment ago, later than the values of this render.
      const values = { ...form.values, discountCode: codeDraft.trim() };
      const body = toSubmitBody(toFormBody(values, view), { quote, paying: sent, ticked });
      await takeAnswer(await submitCheckout(view.apiUrl, body), quote);
    }
    setBusy(false);
  };

  // What the marks were about goes with the last of them.
  const isStale = notice === locale.t('notice.fields') && Object.keys(errors).length === 0;
  return {
    isBusy,
    errors,
    notice: isStale ? null : notice,
    openOrder,
    refusals,
    clearError: (path) => setErrors(({ [path]: _cleared, ...others }) => others),
    onFields: (read) => {
      readToken.current = read;
    },
    submit,
  };
}

function describeChange(locale: Locale, before: Quote, after: Quote): string {
  if (before.dueNow === 0 && after.dueNow > 0 && before.total === after.total) {
    return locale.t('notice.noTrial', { amount: locale.money(after.dueNow, after) });
  }
  const amounts = { before: locale.money(before.total, before), after: locale.money(after.total, after) };
  return locale.t(before.total === after.total ? 'notice.priceSame' : 'notice.priceChanged', amounts);
}

/** Sends each message to its field; what belongs to no field that is shown becomes the notice. */
function describeRefusal(
  locale: Locale,
  refusal: Extract<Answer<unknown>, { kind: 'refused' }>,
  view: CheckoutView,
): [FieldErrors, string] {
  const atFields = refusal.details.filter((detail) => hasFieldPath(view.fields, detail.path));
  const errors = Object.fromEntries(
    atFields.map(({ path, message, retry }) => [
      path,
      retry ? locale.t('notice.lost') : describeField(locale, path, message),
    ]),
  );
  if (atFields.length > 0) return [errors, locale.t('notice.fields')];
  const message = refusal.details[0]?.message ?? refusal.message;
  return [{}, locale.tCode('error.', refusal.code, message)];
}
