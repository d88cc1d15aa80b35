import { useMemo } from 'preact/hooks';
import { asksPostalCode, type FieldErrors, listStates } from '../../ui/form.ts';
import { useLocale } from '../../ui/locale.tsx';
import { SelectField, TextField } from '../../ui/parts/field.tsx';
import type { FormFields, FormValues } from '../../ui/view.ts';

export interface FormPartProps {
  fields: FormFields;
  values: FormValues;
  errors: FieldErrors;
  onChange(patch: Partial<FormValues>): void;
}

/** Where the buyer lives, as far as the tax asks, and the company that buys. */
export function BillingFields(props: FormPartProps & { isCountryLocked: boolean }) {
  const { fields, values, errors, onChange } = props;
  const { t, countryName, language } = useLocale();
  const countries = useMemo(() => {
    const { compare } = new Intl.Collator(language);
    const named = fields.countries.map((code) => ({ value: code, label: countryName(code) }));
    return named.sort((a, b) => compare(a.label, b.label));
  }, [fields.countries, countryName, language]);
  const states = listStates(fields, values.countryCode);
  const hasPostalCode = asksPostalCode(fields, values.countryCode);
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
          className={hasPostalCode ? '' : 'wide'}
          value={values.state}
          error={errors.state}
          placeholder={t('billing.stateChoose')}
          options={states.map(({ code, name }) => ({ value: code, label: name }))}
          autoComplete="address-level1"
          onValue={(state) => onChange({ state })}
        />
      )}
      {hasPostalCode && (
        <TextField
          label={t('billing.postalCode')}
          name="postalCode"
          className={states.length > 0 ? '' : 'wide'}
          value={values.postalCode}
          error={errors.postalCode}
          onValue={(postalCode) => onChange({ postalCode })}
          input={{ autocomplete: 'postal-code' }}
        />
      )}
      <CompanyFields {...props} />
    </div>
  );
}

function CompanyFields({ values, errors, onChange }: FormPartProps) {
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
          <TextField
            label={t('billing.companyName')}
            name="companyName"
            className="wide"
            value={values.companyName}
            error={errors.companyName}
            onValue={(companyName) => onChange({ companyName })}
            input={{ autocomplete: 'organization' }}
          />
          <TextField
            label={t('billing.taxNumber')}
            name="taxNumber"
            className="wide"
            value={values.taxNumber}
            error={errors.taxNumber}
            hint={t('billing.taxNumberHint')}
            onValue={(taxNumber) => onChange({ taxNumber })}
            input={{ autocomplete: 'off', spellcheck: false, autocapitalize: 'characters' }}
          />
        </>
      )}
    </>
  );
}
