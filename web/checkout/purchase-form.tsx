import { useEffect, useState } from 'preact/hooks';
import type { CardValues } from '../ui/card.ts';
import { type FieldErrors, needsPayment } from '../ui/form.ts';
import { useLocale } from '../ui/locale.tsx';
import { CardFields } from '../ui/parts/card-fields.tsx';
import { TextField } from '../ui/parts/field.tsx';
import { LockIcon } from '../ui/parts/icons.tsx';
import { MethodChoice, MethodNote } from '../ui/parts/method-choice.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import { TestCards } from '../ui/parts/test-cards.tsx';
import { LaterFields } from '../ui/processor/later-fields.tsx';
import type { CheckoutView, ConsentBox, Method } from '../ui/view.ts';
import { MoreWays } from './frame/more-ways.tsx';
import { BillingFields } from './parts/billing-fields.tsx';
import { ConsentBoxes } from './parts/consent-boxes.tsx';
import { CustomFields } from './parts/custom-fields.tsx';
import { KeepCard, SavedCards } from './parts/saved-cards.tsx';
import { SubmitButton } from './parts/submit-button.tsx';
import type { PricedForm } from './state/use-priced-form.ts';
import type { SavedChoice } from './state/use-saved.ts';
import type { Submission } from './state/use-submission.ts';

interface PurchaseFormProps {
  view: CheckoutView;
  form: PricedForm;
  submission: Submission;
  errors: FieldErrors;
  card: CardValues;
  saved: SavedChoice;
  /** How it is paid; null where nothing is offered from here. */
  method: Method | null;
  ticked: ReadonlySet<ConsentBox['kind']>;
  onTick(kind: ConsentBox['kind'], isTicked: boolean): void;
  onChange: PricedForm['change'];
  onMethod(method: Method): void;
  onCard(field: keyof CardValues, value: string): void;
  onSubmit(): void;
}

/** Who buys, from where, and with which card. */
export function PurchaseForm(props: PurchaseFormProps) {
  const { view, form, submission, errors, onChange } = props;
  const { t } = useLocale();
  const { fields } = view;
  const { values } = form;
  const isBilled = needsPayment(view, form.quote);
  useFocusOnError(submission);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <section>
        <h2>{t('contact.title')}</h2>
        <EmailField
          value={values.email}
          error={errors.email}
          isLocked={view.lockedFields.includes('email')}
          onValue={(email) => onChange({ email })}
        />
        {view.asksReminder && (
          <label class="check">
            <input
              type="checkbox"
              name="remind"
              checked={values.remind}
              onChange={(event) => onChange({ remind: event.currentTarget.checked })}
            />
            <span>{t('contact.remind')}</span>
          </label>
        )}
      </section>
      {fields.custom.length > 0 && (
        <section>
          <h2>{t('custom.title')}</h2>
          <CustomFields {...{ fields, values, errors, onChange }} />
        </section>
      )}
      {fields.countries.length > 0 && isBilled && (
        <section>
          <h2>{t('billing.title')}</h2>
          <BillingFields
            {...{ fields, values, errors, onChange }}
            isCountryLocked={view.lockedFields.includes('country')}
            taxNumberCheck={form.isPricing ? null : form.quote.taxNumberCheck}
          />
        </section>
      )}
      {isBilled && <PaymentSection {...props} />}
      {form.quote.consents.length > 0 && (
        <ConsentBoxes
          boxes={form.quote.consents}
          ticked={props.ticked}
          errors={errors}
          onTick={props.onTick}
        />
      )}
      <FormNotice form={form} submission={submission} />
      <SubmitButton
        {...{ view, quote: form.quote, method: props.method }}
        isPricing={form.isPricing}
        isBusy={submission.isBusy}
      />
    </form>
  );
}

interface EmailFieldProps {
  value: string;
  error: string | undefined;
  isLocked: boolean;
  onValue(email: string): void;
}

/** Asks about a likely slip once the field is left, never while it is typed in. */
function EmailField({ value, error, isLocked, onValue }: EmailFieldProps) {
  const { t } = useLocale();
  const [found, setFound] = useState<{ of: string; meant: string | null } | null>(null);
  const meant = found?.of === value && !isLocked ? found.meant : null;
  // Loaded with the first address that is left: the page is there without.
  const suggest = async (left: string) => {
    const { suggestEmail } = await import('./state/suggest-email.ts');
    setFound({ of: left, meant: suggestEmail(left) });
  };
  return (
    <>
      <TextField
        label={t('contact.email')}
        name="email"
        value={value}
        error={error}
        hint={t('contact.emailHint')}
        onValue={onValue}
        input={{
          type: 'email',
          autocomplete: 'email',
          inputMode: 'email',
          spellcheck: false,
          readOnly: isLocked,
          onBlur: (event) => void suggest(event.currentTarget.value).catch(() => {}),
        }}
      />
      <div role="status">
        {meant !== null && (
          <button type="button" class="link suggestion" onClick={() => onValue(meant)}>
            {t('email.didYouMean', { email: meant })}
          </button>
        )}
      </div>
    </>
  );
}

function PaymentSection(props: PurchaseFormProps) {
  const { form, method, onMethod, submission } = props;
  const { methods } = form.quote;
  const { t } = useLocale();
  return (
    <section>
      <h2>{t('card.title')}</h2>
      {method && <MethodChoice methods={methods} chosen={method} onMethod={onMethod} />}
      {(method === 'card' || method === 'token') && <TypedPart {...props} />}
      {form.quote.hasMoreWays && <MoreWays form={form} isBusy={submission.isBusy} />}
      {(method || !form.quote.hasMoreWays) && <MethodNote method={method} />}
    </section>
  );
}

/** Stored cards and the way to another one. What is to be stored is asked first: not every method can be. */
function TypedPart({ view, errors, card, form, saved, submission, ...props }: PurchaseFormProps) {
  const { t } = useLocale();
  const isRecurring = view.items.some((item) => item.recurring);
  const { processorFields: fields } = form.quote;
  return (
    <>
      {saved.methods.length > 0 && <SavedCards saved={saved} />}
      {saved.chosen === null && (
        <>
          {saved.canKeep && <KeepCard saved={saved} />}
          {fields ? (
            <LaterFields
              fields={saved.keeps ? { ...fields, types: fields.keptTypes, keepsMethod: true } : fields}
              onFields={submission.onFields}
            />
          ) : (
            <>
              {view.testMode && <TestCards onCard={props.onCard} />}
              <CardFields card={card} errors={errors} onCard={props.onCard} />
            </>
          )}
        </>
      )}
      <p class="secure">
        <LockIcon />
        {t(isRecurring ? 'card.secureRenewal' : 'card.secure')}
      </p>
    </>
  );
}

/** One message at a time: about the last press of the button, else about a price that could not be had. */
function FormNotice({ form, submission }: { form: PricedForm; submission: Submission }) {
  const { t, tCode } = useLocale();
  const { problem } = form;
  const { notice, openOrder } = submission;
  if (notice) {
    return <Notice text={notice}>{openOrder && <a href={openOrder}>{t('open.goOn')}</a>}</Notice>;
  }
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
function useFocusOnError({ refusals, errors }: Submission): void {
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    // The quantity and the code stand outside the form, in the stub.
    const wrong = document.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    // One that has the focus already would stay where the notice has left it.
    wrong?.scrollIntoView({ block: 'center' });
  }, [refusals]);
}
