import { useEffect, useState } from 'preact/hooks';
import { confirmCheckout } from '../ui/api.ts';
import { type CardValues, EMPTY_CARD } from '../ui/card.ts';
import type { FieldErrors } from '../ui/form.ts';
import { describeField, type Locale, useLocale } from '../ui/locale.tsx';
import { PageFooter } from '../ui/parts/seller-line.tsx';
import { ActionPanel, ProcessingPanel } from '../ui/parts/status-panels.tsx';
import { useConfirmation } from '../ui/state/use-confirmation.ts';
import type { CheckoutView, SessionView } from '../ui/view.ts';
import { OrderSummary } from './parts/order-summary.tsx';
import { PurchaseForm } from './purchase-form.tsx';
import { useFirstLook } from './state/use-first-look.ts';
import { type PricedForm, usePricedForm } from './state/use-priced-form.ts';
import { useSubmission } from './state/use-submission.ts';

const TEST_EXPIRY = '12/35';
const TEST_CVC = '123';

interface CheckoutPageProps {
  view: CheckoutView;
  onView(view: SessionView): void;
}

/**
 * The page to pay on. It stays mounted while a payment is decided, so that everything typed is still there when
 * the bank says no.
 */
export function CheckoutPage({ view, onView }: CheckoutPageProps) {
  const locale = useLocale();
  const [card, setCard] = useState<CardValues>(EMPTY_CARD);
  const [codeDraft, setCodeDraft] = useState(view.form.discountCode);
  const form = usePricedForm(view);
  useFirstLook(view, form.read);
  const submission = useSubmission({ view, form, card, onView });
  const isOffline = useConfirmation<{ checkout: SessionView }, SessionView>({
    view,
    confirm: confirmCheckout,
    toView: ({ checkout }) => checkout,
    onView,
  });
  useEffect(() => {
    document.title = `${locale.t('page.checkout')} · ${view.seller.name}`;
  }, []);
  const errors = { ...findQuoteErrors(form, locale), ...submission.errors };

  const onChange: PricedForm['change'] = (patch) => {
    for (const path of Object.keys(patch)) submission.clearError(path);
    for (const key of Object.keys(patch.customFields ?? {})) submission.clearError(`customFields.${key}`);
    form.change(patch);
  };
  const onCard = (field: keyof CardValues, value: string) => {
    submission.clearError(`card.${field}`);
    setCard((before) => ({ ...before, [field]: value }));
  };
  const onTestCard = (number: string) => {
    onCard('number', number);
    onCard('expiry', TEST_EXPIRY);
    onCard('cvc', TEST_CVC);
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

  const isCodeCurrent = codeDraft.trim() === form.values.discountCode;
  const canDiscount = view.items.some((item) => item.unitPrice > 0);
  const isOpen = view.status === 'open';
  const quantity = {
    value: form.values.quantity,
    max: view.items.find((item) => item.mutableQuantity)?.maxQuantity ?? null,
    error: errors.quantity,
    onValue: (count: number) => onChange({ quantity: count }),
  };
  const code = {
    draft: codeDraft,
    error: isCodeCurrent ? errors.discountCode : submission.errors.discountCode,
    onDraft,
    onApply,
  };
  return (
    <div class="page">
      <main class="ticket">
        <OrderSummary
          view={view}
          quote={form.quote}
          isPricing={form.isPricing}
          hasCountry={form.values.countryCode !== ''}
          quantity={isOpen ? quantity : null}
          code={isOpen && canDiscount ? code : null}
        />
        <div class="pane">
          {view.status === 'processing' && <ProcessingPanel isOffline={isOffline} />}
          {view.status === 'requires_action' && view.action && <ActionPanel url={view.action.url} />}
          {isOpen && (
            <PurchaseForm
              {...{ view, form, submission, errors, card, onChange, onCard, onTestCard }}
              onSubmit={() => void submission.submit(codeDraft)}
            />
          )}
        </div>
      </main>
      <PageFooter supportEmail={view.seller.supportEmail} />
    </div>
  );
}

/** What the price said about single fields. An empty field is not wrong yet: the buyer has not come to it. */
function findQuoteErrors({ quote, problem, values }: PricedForm, locale: Locale): FieldErrors {
  const errors: FieldErrors = {};
  if (problem?.kind === 'refused') {
    const typed: Record<string, unknown> = { ...values };
    for (const { path, message } of problem.details)
      if (typed[path]) errors[path] = describeField(locale, path, message);
  }
  if (quote.codeError && values.discountCode) {
    errors.discountCode = locale.tCode('error.', quote.codeError.code, quote.codeError.message);
  }
  return errors;
}
