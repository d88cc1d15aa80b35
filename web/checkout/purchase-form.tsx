import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CardValues } from '../ui/card.ts';
import { type FieldErrors, needsCard } from '../ui/form.ts';
import { useLocale } from '../ui/locale.tsx';
import { CardFields } from '../ui/parts/card-fields.tsx';
import { TextField } from '../ui/parts/field.tsx';
import { LockIcon } from '../ui/parts/icons.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import { TestCards } from '../ui/parts/test-cards.tsx';
import type { CheckoutView } from '../ui/view.ts';
import { BillingFields } from './parts/billing-fields.tsx';
import { CustomFields } from './parts/custom-fields.tsx';
import { SubmitButton } from './parts/submit-button.tsx';
import type { PricedForm } from './state/use-priced-form.ts';
import type { Submission } from './state/use-submission.ts';

interface PurchaseFormProps {
  view: CheckoutView;
  form: PricedForm;
  submission: Submission;
  errors: FieldErrors;
  card: CardValues;
  onChange: PricedForm['change'];
  onCard(field: keyof CardValues, value: string): void;
  onTestCard(number: string): void;
  onSubmit(): void;
}

/** Who buys, from where, and with which card. */
export function PurchaseForm(props: PurchaseFormProps) {
  const { view, form, submission, errors, onChange } = props;
  const { t } = useLocale();
  const { fields } = view;
  const { values } = form;
  const element = useRef<HTMLFormElement>(null);
  useFocusOnError(element, submission);
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <section>
        <h2>{t('contact.title')}</h2>
        <TextField
          label={t('contact.email')}
          name="email"
          value={values.email}
          error={errors.email}
          hint={t('contact.emailHint')}
          onValue={(email) => onChange({ email })}
          input={{ type: 'email', autocomplete: 'email', inputMode: 'email', spellcheck: false }}
        />
      </section>
      {fields.custom.length > 0 && (
        <section>
          <h2>{t('custom.title')}</h2>
          <CustomFields {...{ fields, values, errors, onChange }} />
        </section>
      )}
      {fields.countries.length > 0 && (
        <section>
          <h2>{t('billing.title')}</h2>
          <BillingFields {...{ fields, values, errors, onChange }} />
        </section>
      )}
      {needsCard(view, form.quote) && <CardSection {...props} />}
      <FormNotice form={form} submission={submission} />
      <SubmitButton view={view} quote={form.quote} isPricing={form.isPricing} isBusy={submission.isBusy} />
    </form>
  );
}

function CardSection({ view, errors, card, onCard, onTestCard }: PurchaseFormProps) {
  const { t } = useLocale();
  const isRecurring = view.items.some((item) => item.recurring);
  return (
    <section>
      <h2>{t('card.title')}</h2>
      {view.testMode && <TestCards onNumber={onTestCard} />}
      <CardFields card={card} errors={errors} onCard={onCard} />
      <p class="secure">
        <LockIcon />
        {t(isRecurring ? 'card.secureRenewal' : 'card.secure')}
      </p>
    </section>
  );
}

/** One message at a time: about the last press of the button, else about a price that could not be had. */
function FormNotice({ form, submission }: { form: PricedForm; submission: Submission }) {
  const { t, tCode } = useLocale();
  const { problem } = form;
  if (submission.notice) return <Notice text={submission.notice} />;
  if (!problem) return null;
  if (problem.kind === 'refused') {
    // What is wrong with a field is said at the field.
    if (problem.details.length > 0) return null;
    return <Notice text={tCode('error.', problem.code, problem.message)} />;
  }
  return (
    <Notice text={t('notice.quoteLost')}>
      <button type="button" class="secondary" onClick={() => void form.price()}>
        {t('notice.tryAgain')}
      </button>
    </Notice>
  );
}

/** Takes the buyer to the first wrong field each time fields are marked. */
function useFocusOnError(form: RefObject<HTMLFormElement | null>, { refusals, errors }: Submission): void {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    // The quantity and the code stand outside the form, in the stub.
    form.current?.closest('main')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
}
