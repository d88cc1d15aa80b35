import {
  type CardValues,
  digitsOf,
  findCardBrand,
  findCaret,
  formatCardNumber,
  formatExpiry,
} from '../card.ts';
import type { FieldErrors } from '../form.ts';
import { useLocale } from '../locale.tsx';
import { TextField } from './field.tsx';
import { BrandMark } from './icons.tsx';

interface CardFieldsProps {
  card: CardValues;
  errors: FieldErrors;
  onCard(field: keyof CardValues, value: string): void;
}

/**
 * Formats while typing without moving the caret. The control is written to at once: when formatting takes back
 * what was typed, the value does not change, and a render would leave the control as it is.
 */
function writeFormatted(input: HTMLInputElement, format: (text: string) => string): string {
  const typed = input.value;
  const caret = input.selectionStart ?? typed.length;
  const isAtEnd = caret === typed.length;
  const formatted = format(typed);
  input.value = formatted;
  const place = isAtEnd ? formatted.length : findCaret(formatted, digitsOf(typed.slice(0, caret)).length);
  input.setSelectionRange(place, place);
  return formatted;
}

export function CardFields({ card, errors, onCard }: CardFieldsProps) {
  const { t } = useLocale();
  const brand = findCardBrand(card.number);
  return (
    <div class="grid">
      <TextField
        label={t('card.number')}
        name="cardNumber"
        className="wide"
        value={card.number}
        error={errors['card.number']}
        adornment={<BrandMark brand={brand} />}
        onValue={(_, input) => onCard('number', writeFormatted(input, formatCardNumber))}
        input={{ autocomplete: 'cc-number', inputMode: 'numeric', placeholder: '1234 1234 1234 1234' }}
      />
      <TextField
        label={t('card.expiry')}
        name="cardExpiry"
        value={card.expiry}
        error={errors['card.expiry']}
        onValue={(_, input) => onCard('expiry', writeFormatted(input, formatExpiry))}
        input={{
          autocomplete: 'cc-exp',
          inputMode: 'numeric',
          // As the language asks for it where it is missing.
          placeholder: /\w+\/\w+/.exec(t('missing.expiry'))?.[0] ?? '',
        }}
      />
      <TextField
        label={t('card.cvc')}
        name="cardCvc"
        value={card.cvc}
        error={errors['card.cvc']}
        onValue={(_, input) =>
          onCard(
            'cvc',
            writeFormatted(input, (text) => digitsOf(text).slice(0, 4)),
          )
        }
        input={{
          autocomplete: 'cc-csc',
          inputMode: 'numeric',
          placeholder: brand === 'amex' ? '1234' : '123',
        }}
      />
      <TextField
        label={t('card.name')}
        name="cardName"
        className="wide"
        value={card.name}
        error={errors['card.name']}
        onValue={(value) => onCard('name', value)}
        input={{ autocomplete: 'cc-name' }}
      />
    </div>
  );
}
