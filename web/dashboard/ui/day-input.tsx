import { type ComponentProps, useState } from 'react';

type DayInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'onBlur'> & {
  /** `2026-11-22`; empty = none. */
  value: string;
  /** Hears of a day whose year is whole, and of one that is taken away. */
  take: (day: string) => void;
};

/**
 * A day, typed or chosen. After the first digits of its year it is one of the first centuries, which nothing is asked
 * for: it stands as it is typed until it is left, so that the next digit finds those before it.
 */
export function DayInput({ value, take, ...props }: DayInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      {...props}
      type="date"
      value={typed ?? value}
      onChange={(event) => {
        const day = event.currentTarget.value;
        setTyped(day);
        if (day === '' || /^[1-9]\d{3}-/.test(day)) take(day);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
