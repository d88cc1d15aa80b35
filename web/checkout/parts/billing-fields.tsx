import { askedOf, asksPostalCode, type FieldErrors, listStates } from '../../ui/form.ts';
import { useLocale } from '../../ui/locale.tsx';
import { SelectField, TextField } from '../../ui/parts/field.tsx';
import { useCountryOptions } from '../../ui/state/use-country-options.ts';
import type { Asked, FormFields, FormValues, Quote } from '../../ui/view.ts';

export interface FormPartProps {
  fields: FormFields;
  values: FormValues;
  errors: FieldErrors;
  onChange(patch: Partial<FormValues>): void;
}

interface BillingFieldsProps extends FormPartProps {
  isCountryLocked: boolean;
  /** Of the number as it is typed; null until that is known. */
  taxNumberCheck: Quote['taxNumberCheck'];
}

/** Where the buyer lives, as far as the tax asks, and who is to stand on the invoice. */
export function BillingFields(props: BillingFieldsProps) {
  const { fields, values, errors, onChange } = props;
  const { t, language } = useLocale();
  const countries = useCountryOptions(fields.countries);
  const states = listStates(fields, values.countryCode);
  const asked = askedOf(fields, values);
  // In Japanese the family's name is asked for first.
  const names = [
    <AnswerField key="given" {...props} field="firstName" autocomplete="given-name" asked={asked.name} />,
    <AnswerField key="family" {...props} field="lastName" autocomplete="family-name" asked={asked.name} />,
  ];
  // Beside the town where one is asked for, else beside the state.
  const postalCode = asksPostalCode(fields, values) && (
    <AnswerField
      {...props}
      field="postalCode"
      autocomplete="postal-code"
      isWide={asked.address === 'off' && states.length === 0}
    />
  );
  return (
    <div class="grid">
      <SelectField
        label={t('billing.country')}
        name="countryCode"
        className="wide"
        value={values.countryCode}
        error={errors.countryCode}
        placeholder={t('billing.countryChoose')}
        options={countries}
        autoComplete="country"
        isDisabled={props.isCountryLocked}
        onValue={(countryCode) => onChange({ countryCode })}
      />
      {states.length > 0 && (
        <SelectField
          label={t('billing.state')}
          name="state"
          className={postalCode && asked.address === 'off' ? '' : 'wide'}
          value={values.state}
          error={errors.state}
          placeholder={t('billing.stateChoose')}
          options={states.map(({ code, name }) => ({ value: code, label: name }))}
          autoComplete="address-level1"
          onValue={(state) => onChange({ state })}
        />
      )}
      {asked.address === 'off' && postalCode}
      <CompanyFields {...props} />
      {asked.name !== 'off' && (language === 'ja' ? names.reverse() : names)}
      {asked.address !== 'off' && (
        <>
          <AnswerField
            {...props}
            field="address"
            autocomplete="street-address"
            asked={asked.address}
            isWide
          />
          {postalCode}
          <AnswerField
            {...props}
            field="city"
            autocomplete="address-level2"
            asked={asked.address}
            isWide={!postalCode}
          />
        </>
      )}
    </div>
  );
}

interface AnswerFieldProps extends FormPartProps {
  field: 'companyName' | 'firstName' | 'lastName' | 'address' | 'city' | 'postalCode';
  autocomplete: string;
  asked?: Asked;
  isWide?: boolean;
}

function AnswerField({ field, autocomplete, asked, isWide, values, errors, onChange }: AnswerFieldProps) {
  const { t } = useLocale();
  return (
    <TextField
      label={t(`billing.${field}`)}
      name={field}
      className={isWide ? 'wide' : ''}
      value={values[field]}
      error={errors[field]}
      hint={asked === 'optional' ? t('custom.optional') : undefined}
      onValue={(value) => onChange({ [field]: value })}
      input={{ autocomplete }}
    />
  );
}

function CompanyFields(props: BillingFieldsProps) {
  const { values, errors, onChange, taxNumberCheck } = props;
  const { t } = useLocale();
  const isCompany = values.type === 'company';
  return (
    <>
      <label class="check wide">
        <input
          type="checkbox"
          name="business"
          checked={isCompany}
          onChange={(event) => onChange({ type: event.currentTarget.checked ? 'company' : 'individual' })}
        />
        <span>{t('billing.business')}</span>
      </label>
      {isCompany && (
        <>
          <AnswerField {...props} field="companyName" autocomplete="organization" isWide />
          <TextField
            label={t('billing.taxNumber')}
            name="taxNumber"
            className="wide"
            value={values.taxNumber}
            error={errors.taxNumber}
            hint={t(taxNumberCheck ? `taxNumber.${taxNumberCheck}` : 'billing.taxNumberHint')}
            onValue={(taxNumber) => onChange({ taxNumber })}
            input={{ autocomplete: 'off', spellcheck: false, autocapitalize: 'characters' }}
          />
        </>
      )}
    </>
  );
}
