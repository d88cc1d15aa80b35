import { useEffect, useState } from 'preact/hooks';
import { type Answer, submitCheckout } from '../../ui/api.ts';
import type { CardValues } from '../../ui/card.ts';
import { type FieldErrors, findMissing, needsCard, toFormBody, toSubmitBody } from '../../ui/form.ts';
import { describeField, type Locale, useLocale } from '../../ui/locale.tsx';
import type { TextKey } from '../../ui/texts.ts';
import type { CheckoutView, Quote, SessionView } from '../../ui/view.ts';
import { hasFieldPath } from '../field-paths.ts';
import type { PricedForm } from './use-priced-form.ts';

export interface Submission {
  isBusy: boolean;
  errors: FieldErrors;
  /** What the last press of the button came to, to be shown beside it. */
  notice: string | null;
  /** Grows each time the buyer is told to look again. */
  refusals: number;
  clearError(path: string): void;
  submit(codeDraft: string): Promise<void>;
}

interface SubmissionParts {
  view: CheckoutView;
  form: PricedForm;
  card: CardValues;
  onView(view: SessionView): void;
}

/** Buys at the price shown, or says why not and keeps everything that was typed. */
export function useSubmission({ view, form, card, onView }: SubmissionParts): Submission {
  const locale = useLocale();
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [notice, setNotice] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);

  // A view comes with the page, as the answer to a submit, or later from the bank: each may bring a decline.
  useEffect(() => {
    form.acceptQuote(view.quote);
    setNotice(view.lastError && locale.tCode('error.', view.lastError.code, view.lastError.message));
  }, [view]);

  const refuse = (found: FieldErrors, text: string | null) => {
    setErrors(found);
    setNotice(text);
    setRefusals((count) => count + 1);
  };

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
    if (answer.kind === 'refused') return refuse(...describeRefusal(locale, answer, view));
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

  const submit = async (codeDraft: string) => {
    if (isBusy) return;
    const usedCard = needsCard(view, form.quote) ? card : null;
    const missing = findMissing(form.values, view.fields, usedCard);
    if (Object.keys(missing).length > 0) {
      // findMissing names keys of the texts.
      const texts = Object.entries(missing).map(([path, key]) => [path, locale.t(key as TextKey)]);
      return refuse(Object.fromEntries(texts), locale.t('notice.fields'));
    }
    setBusy(true);
    setErrors({});
    setNotice(null);
    const quote = await settlePrice(codeDraft);
    if (quote) {
      // The code may have been taken over a moment ago, later than the values of this render.
      const values = { ...form.values, discountCode: codeDraft.trim() };
      const body = toSubmitBody(toFormBody(values, view), quote, usedCard);
      await takeAnswer(await submitCheckout(view.apiUrl, body), quote);
    }
    setBusy(false);
  };

  return {
    isBusy,
    errors,
    notice,
    refusals,
    clearError: (path) => setErrors(({ [path]: _cleared, ...others }) => others),
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
    atFields.map(({ path, message }) => [path, describeField(locale, path, message)]),
  );
  if (atFields.length > 0) return [errors, locale.t('notice.fields')];
  const message = refusal.details[0]?.message ?? refusal.message;
  return [{}, locale.tCode('error.', refusal.code, message)];
}
