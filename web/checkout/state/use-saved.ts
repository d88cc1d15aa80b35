import { useEffect, useState } from 'preact/hooks';
import { openCheckout } from '../../ui/api.ts';
import type { CheckoutView, SavedMethod, SessionView } from '../../ui/view.ts';
import { isInFrame } from '../frame/channel.ts';

export interface SavedChoice {
  /** None where nobody is known, or an order would be another's. */
  methods: SavedMethod[];
  /** Null = a card that is typed. */
  chosen: string | null;
  choose(id: string | null): void;
  /** Whether a card that is typed can become the buyer's own. */
  canKeep: boolean;
  keeps: boolean;
  setKeeps(keeps: boolean): void;
}

/** By which of their stored cards the buyer pays: the one that stands first, until they choose. */
export function useSaved(
  { apiUrl, isUnopened, saved }: CheckoutView,
  email: string,
  onView: (view: SessionView) => void,
): SavedChoice {
  const [picked, setPicked] = useState<{ id: string | null }>();
  const [keeps, setKeeps] = useState(false);
  useEffect(() => {
    if (!isUnopened || isInFrame()) return;
    void openCheckout(apiUrl).then((answer) => {
      if (answer.kind === 'ok') onView(answer.data.checkout);
    });
  }, []);
  const isOwn = saved !== null && saved.email.toLowerCase() === email.trim().toLowerCase();
  const methods = isOwn ? saved.methods : [];
  const chosen = picked ? picked.id : (methods[0]?.id ?? null);
  return {
    methods,
    chosen: methods.some(({ id }) => id === chosen) ? chosen : null,
    choose: (id) => setPicked({ id }),
    canKeep: isOwn,
    keeps: isOwn && keeps,
    setKeeps,
  };
}
