import { useLocale } from '../locale.tsx';
import type { TextKey } from '../texts.ts';

const TEST_CARDS: Array<{ number: string; text: TextKey }> = [
  { number: '4242 4242 4242 4242', text: 'testCards.success' },
  { number: '4000 0025 0000 3155', text: 'testCards.authenticate' },
  { number: '4000 0000 0000 0002', text: 'testCards.declined' },
  { number: '4000 0000 0000 9995', text: 'testCards.insufficient' },
  { number: '4000 0000 0000 0119', text: 'testCards.unknown' },
];

/** The sandbox's most useful cards; choosing one fills it in, with what else a card has. */
export function TestCards({ onCard }: { onCard(field: 'number' | 'expiry' | 'cvc', value: string): void }) {
  const { t } = useLocale();
  return (
    <details class="test-cards">
      <summary>{t('testCards.title')}</summary>
      <p class="hint">{t('testCards.text')}</p>
      <ul>
        {TEST_CARDS.map(({ number, text }) => (
          <li key={number}>
            <button
              type="button"
              onClick={() => {
                onCard('number', number);
                onCard('expiry', '12/35');
                onCard('cvc', '123');
              }}
            >
              <span class="number">{number}</span> <span>{t(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
