import { useEffect, useRef, useState } from 'preact/hooks';
import { confirmCheckout } from '../ui/api.ts';
import { type CardValues, EMPTY_CARD } from '../ui/card.ts';
import type { Choice, FieldErrors } from '../ui/form.ts';
import { describeField, type Locale, useLocale } from '../ui/locale.tsx';
import { AwaitedTransfer } from '../ui/parts/awaited-transfer.tsx';
import { PageFooter } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import type { CheckoutItem, CheckoutView, ConsentBox, Method, SessionView } from '../ui/view.ts';
import { useFramedForm } from './frame/use-framed-form.ts';
import { OrderSummary } from './parts/order-summary.tsx';
import { PurchaseForm } from './purchase-form.tsx';
import { useAuthentication } from './state/use-authentication.ts';
import { useFirstLook } from './state/use-first-look.ts';
import { useLikelyCountry } from './state/use-likely-country.ts';
import { type PricedForm, usePricedForm } from './state/use-priced-form.ts';
import { type SavedChoice, useSaved } from './state/use-saved.ts';
import { useSubmission } from './state/use-submission.ts';
import { useTypedEmail } from './state/use-typed-email.ts';

interface CheckoutPageProps {
  view: CheckoutView;
  onView(view: SessionView): void;
}

function useConfirmed({ view, onView }: CheckoutPageProps): boolean {
  return useConfirmation<{ checkout: SessionView }, SessionView>({
    view,
    confirm: confirmCheckout,
    toView: ({ checkout }) => checkout,
    onView,
  });
}

/**
 * The page to pay on. It stays mounted while a payment is decided, so that everything typed is still there when
 * the bank says no.
 */
export function CheckoutPage({ view, onView }: CheckoutPageProps) {
  const locale = useLocale();
  const [card, setCard] = useState<CardValues>(EMPTY_CARD);
  const [codeDraft, setCodeDraft] = useState(view.form.discountCode);
  const [ticked, setTicked] = useState<ReadonlySet<ConsentBox['kind']>>(new Set());
  const form = usePricedForm(view);
  useFirstLook(view, form.read);
  useLikelyCountry(view, form);
  useTypedEmail(view, form);
  const saved = useSaved(view, form.values.email, onView);
  const [wanted, setMethod] = useState<Method | null>(null);
  // What is offered hangs on the country and the code: a way that is gone is none any more.
  const { methods } = form.quote;
  const method = methods.find((one) => one === wanted) ?? methods[0] ?? null;
  const paying = toPaying(method, { card, saved });
  const submission = useSubmission({ view, form, paying, ticked, onView });
  const onGo = useAuthentication(view, onView);
  const wasOpen = useRef(view.status === 'open').current;
  const isOffline = useConfirmed({ view, onView });
  useEffect(() => {
    document.title = `${locale.t('page.checkout')} · ${view.seller.name}`;
  }, [locale]);
  const errors = { ...findQuoteErrors(form, locale), ...submission.errors };

  const onChange: PricedForm['change'] = (patch) => {
    for (const path of Object.keys(patch)) submission.clearError(path);
    for (const group of ['customFields', 'quantities'] as const)
      for (const key of Object.keys(patch[group] ?? {})) submission.clearError(`${group}.${key}`);
    form.change(patch);
  };
  const onCard = (field: keyof CardValues, value: string) => {
    submission.clearError(`card.${field}`);
    setCard((before) => ({ ...before, [field]: value }));
  };
  const onTick = (kind: ConsentBox['kind'], isTicked: boolean) => {
    submission.clearError(`consents.${kind}`);
    setTicked((before) => new Set(isTicked ? [...before, kind] : [...before].filter((one) => one !== kind)));
  };
  const onApply = (code: string) => {
    setCodeDraft(code);
    if (code === form.values.discountCode) void form.price();
    else onChange({ discountCode: code });
  };
  const onDraft = (code: string) => {
    submission.clearError('discountCode');
    setCodeDraft(code);
  };

  useFramedForm({ view, form, submission, onChange, onApply });

  const isCodeCurrent = codeDraft.trim() === form.values.discountCode;
  const canDiscount = view.items.some((item) => item.unitPrice > 0);
  const isOpen = view.status === 'open';
  const quantityOf = ({ offerId, name, mutableQuantity, maxQuantity }: CheckoutItem) => {
    if (!isOpen || !mutableQuantity) return null;
    const { quantities } = form.values;
    return {
      label: view.items.length > 1 ? name : null,
      value: quantities[offerId] ?? 1,
      max: maxQuantity,
      error: errors[`quantities.${offerId}`],
      onValue: (count: number) => onChange({ quantities: { ...form.read().quantities, [offerId]: count } }),
    };
  };
  const code = {
    draft: codeDraft,
    error: isCodeCurrent ? errors.discountCode : submission.errors.discountCode,
    onDraft,
    onApply,
    isLocked: view.lockedFields.includes('discountCode'),
  };
  return (
    <div class="page">
      <main class="ticket">
        <OrderSummary
          view={view}
          quote={form.quote}
          isPricing={form.isPricing}
          hasCountry={form.values.countryCode !== ''}
          quantityOf={quantityOf}
          code={isOpen && canDiscount ? code : null}
        />
        <div class="pane">
          {view.status === 'processing' &&
            (view.transfer ? (
              <AwaitedTransfer transfer={view.transfer} isNew={wasOpen} />
            ) : (
              <ProcessingPanel isOffline={isOffline} order={toWaiting(view)} />
            ))}
          {/* Who tries another way sends the form again: that stops the charge which waits. */}
          {view.status === 'requires_action' && view.action && (
            <ActionPanel
              url={view.action.url}
              onGo={onGo}
              onOther={() => onView({ ...view, status: 'open', action: null })}
            />
          )}
          {isOpen && (
            <PurchaseForm
              {...{ view, form, submission, errors, card, method, saved, ticked }}
              {...{ onTick, onChange, onCard }}
              onMethod={setMethod}
              onSubmit={() => void submission.submit(codeDraft)}
            />
          )}
        </div>
      </main>
      <PageFooter seller={view.seller} legal={view.legal} />
    </div>
  );
}

function toPaying(
  method: Method | null,
  { card, saved }: { card: CardValues; saved: SavedChoice },
): Choice | null {
  if (method !== 'card' && method !== 'token') return method && { option: method };
  const { chosen, keeps } = saved;
  if (chosen !== null) return { option: 'stored', paymentMethodId: chosen };
  return { option: method, card, keeps };
}

/** What the buyer may want to name while a payment is undecided. */
const toWaiting = ({ order, form }: CheckoutView) => order && { number: order.number, email: form.email };

/** What the price said about single fields. An empty field is not wrong yet: the buyer has not come to it. */
function findQuoteErrors({ quote, problem, values }: PricedForm, locale: Locale): FieldErrors {
  const errors: FieldErrors = {};
  if (problem?.kind === 'refused') {
    const typed: Record<string, unknown> = { ...values };
    for (const { path, message } of problem.details)
      if (typed[path] || path.startsWith('quantities.'))
        errors[path] =
          problem.code === 'quantity_above_limit'
            ? locale.t('error.quantity_above_limit')
            : describeField(locale, path, message);
  }
  if (quote.codeError && values.discountCode) {
    errors.discountCode = locale.tCode('error.', quote.codeError.code, quote.codeError.message);
  }
  return errors;
}
