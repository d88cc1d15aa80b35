import { useEffect, useRef } from 'preact/hooks';
import type { Changes } from '../../../embed/src/protocol.ts';
import { requestQuote } from '../../ui/api.ts';
import { toFormBody } from '../../ui/form.ts';
import type { CheckoutView } from '../../ui/view.ts';
import type { PricedForm } from '../state/use-priced-form.ts';
import type { Submission } from '../state/use-submission.ts';
import { applyTheme, frameMode, listen, tell } from './channel.ts';

/** After the last key: what was typed is there when the shop's page opens the checkout again. */
const KEEP_MS = 700;

interface FramedForm {
  view: CheckoutView;
  form: PricedForm;
  submission: Submission;
  onChange: PricedForm['change'];
  onApply(code: string): void;
}

/** Tells the page around the frame what the buyer does, and does what that page asks. */
export function useFramedForm({ view, form, submission, onChange, onApply }: FramedForm): void {
  const { quote } = form;
  useEffect(() => {
    const { total, dueNow, currency, currencyDecimals, lines } = quote;
    const quantity = lines.reduce((sum, line) => sum + line.quantity, 0);
    tell('change', { total, dueNow, currency, currencyDecimals, quantity });
  }, [quote.fingerprint]);

  const wasBusy = useRef(false);
  useEffect(() => {
    if (submission.isBusy !== wasBusy.current) tell('busy', { isBusy: submission.isBusy });
    if (submission.isBusy) tell('submit');
    wasBusy.current = submission.isBusy;
  }, [submission.isBusy]);

  const firstView = useRef(view);
  useEffect(() => {
    if (view !== firstView.current && view.lastError) tell('decline', { code: view.lastError.code });
    if (view !== firstView.current && view.lastError) revealTrouble();
  }, [view]);
  useEffect(() => {
    if (submission.refusals > 0) revealTrouble();
  }, [submission.refusals]);

  // What is asked for later than this render is done by the functions of a later one.
  const latest = useRef({ onChange, onApply });
  latest.current = { onChange, onApply };
  useEffect(
    () =>
      listen(({ type, data }) => {
        if (type === 'update' && view.status === 'open') takeChanges(data, { ...latest.current, form });
      }),
    [view.status],
  );
  useKeptForm({ view, form });
}

/** The page around may send anything: what is no answer to a field is passed over. */
function takeChanges(
  { email, quantity, discountCode, theme }: Changes,
  { onChange, onApply, form }: Pick<FramedForm, 'onChange' | 'onApply' | 'form'>,
): void {
  const [offerId] = Object.keys(form.read().quantities);
  if (typeof email === 'string') onChange({ email });
  if (offerId !== undefined && Number.isInteger(quantity) && Number(quantity) > 0)
    onChange({ quantities: { ...form.read().quantities, [offerId]: Number(quantity) } });
  if (typeof discountCode === 'string') onApply(discountCode);
  if (theme) applyTheme(theme);
}

/** The first thing that is wrong, once it is drawn. */
function revealTrouble(): void {
  requestAnimationFrame(() => {
    const wrong = document.querySelector('[aria-invalid="true"], [role="alert"]');
    if (wrong) tell('reveal', { top: Math.round(wrong.getBoundingClientRect().top) });
  });
}

/** The price asks for itself only of what it hangs on; a name that was typed would be lost with the frame. */
function useKeptForm({ view, form }: Pick<FramedForm, 'view' | 'form'>): void {
  const isOpen = frameMode() !== null && view.status === 'open';
  const { apiUrl } = view;
  const body = () => toFormBody(form.read(), view);
  const isFirst = useRef(true);
  const isKept = useRef(true);
  useEffect(() => {
    if (isFirst.current || !isOpen) {
      isFirst.current = false;
      return;
    }
    isKept.current = false;
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await requestQuote(apiUrl, body(), leaving.signal);
      isKept.current = answer.kind === 'ok';
    }, KEEP_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [form.values, isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const keep = () => {
      if (isKept.current) return;
      navigator.sendBeacon(
        `${apiUrl}/quote`,
        new Blob([JSON.stringify(body())], { type: 'application/json' }),
      );
    };
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [isOpen]);
}
