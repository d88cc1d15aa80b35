import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  className?: string;
  /** Drawn inside the control's end, for the eye only. */
  adornment?: ComponentChildren;
}

type ControlProps = {
  id: string;
  'aria-invalid': 'true' | undefined;
  'aria-describedby': string | undefined;
};

/** A label, its control, a hint and the message about it, tied together for assistive tools. */
function Field(props: FieldProps & { children(control: ControlProps): ComponentChildren }) {
  const id = useId();
  const described = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={`field ${props.className ?? ''}`}>
      <label for={id}>{props.label}</label>
      <div class="control">
        {props.children({
          id,
          'aria-invalid': props.error ? 'true' : undefined,
          'aria-describedby': described || undefined,
        })}
        {props.adornment && <span class="adornment">{props.adornment}</span>}
      </div>
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.error && (
        <p class="error" id={`${id}-error`}>
          {props.error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends FieldProps {
  name: string;
  value: string;
  onValue(value: string, input: HTMLInputElement): void;
  input?: InputHTMLAttributes<HTMLInputElement>;
}

export function TextField({ name, value, onValue, input, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          {...input}
          name={name}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value, event.currentTarget)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  name: string;
  value: string;
  /** The first, empty choice; left out once something is chosen. */
  placeholder: string;
  options: Array<{ value: string; label: string }>;
  autoComplete?: string;
  isDisabled?: boolean;
  onValue(value: string): void;
}

export function SelectField(props: SelectFieldProps) {
  const { name, value, placeholder, options, autoComplete, isDisabled, onValue, ...field } = props;
  const isKnown = options.some((option) => option.value === value);
  return (
    <Field {...field} className={`${field.className ?? ''} select`}>
      {(control) => (
        <select
          {...control}
          name={name}
          value={isKnown ? value : ''}
          autocomplete={autoComplete}
          disabled={isDisabled}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {!isKnown && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
