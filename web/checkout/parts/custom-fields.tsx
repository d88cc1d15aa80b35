import { useLocale } from '../../ui/locale.tsx';
import { SelectField, TextField } from '../../ui/parts/field.tsx';
import type { CustomField } from '../../ui/view.ts';
import type { FormPartProps } from './billing-fields.tsx';

/** What the seller wants to know besides. */
export function CustomFields({ fields, values, errors, onChange }: FormPartProps) {
  const { t } = useLocale();
  const common = (field: CustomField) => ({
    label: field.label,
    name: `customFields.${field.key}`,
    className: 'wide',
    value: values.customFields[field.key] ?? '',
    error: errors[`customFields.${field.key}`],
    hint: field.required ? undefined : t('custom.optional'),
    onValue: (value: string) => onChange({ customFields: { ...values.customFields, [field.key]: value } }),
  });
  return (
    <div class="grid">
      {fields.custom.map((field) =>
        field.type === 'dropdown' ? (
          <SelectField
            key={field.key}
            {...common(field)}
            placeholder={t('custom.choose')}
            options={field.options.map((option) => ({ value: option, label: option }))}
          />
        ) : (
          <TextField key={field.key} {...common(field)} input={{ autocomplete: 'off' }} />
        ),
      )}
    </div>
  );
}
