/** Stripe's fields on the page: what is typed there never reaches us, only a token that pays once. */
import type { ProcessorFields } from '../view.ts';
import { loadStripe, type StripeApi, type StripeElement, type StripeElements } from './stripe-script.ts';

export interface MountedFields {
  /** Another price, or other methods. */
  show(fields: ProcessorFields): void;
  /** A token of what was typed, or what is wrong with it in Stripe's words, which its fields show as well. */
  read(): Promise<{ token: string } | { problem: string | null }>;
  destroy(): void;
}

interface Shown {
  /** What stands there for good. */
  key: string;
  /** What it was last told of the rest. */
  told: string;
  elements: StripeElements;
  element: StripeElement;
}

/** Rejects where the script cannot be had. `onReady` once there is something to type into. */
export async function mountFields(
  where: HTMLElement,
  first: ProcessorFields,
  { locale, onReady, onFailure }: { locale: string; onReady(): void; onFailure(): void },
): Promise<MountedFields> {
  const api = (await loadStripe(first.script))(first.publishableKey, { locale });
  let shown: Shown | null = null;
  const show = (fields: ProcessorFields) => {
    const key = JSON.stringify([fields.amount === null, fields.currency]);
    const changes = toChanges(fields);
    const told = JSON.stringify(changes);
    if (shown?.key === key) {
      // Told of it, the fields keep what is typed; others in their place would be empty.
      if (shown.told !== told) shown.elements.update(changes);
      shown.told = told;
      return;
    }
    shown?.element.destroy();
    const elements = api.elements(toOptions(fields));
    const element = elements.create('payment', { layout: 'tabs' });
    element.on('ready', onReady);
    element.on('loaderror', onFailure);
    element.mount(where);
    shown = { key, told, elements, element };
  };
  show(first);
  return {
    show,
    read: async () => (shown ? readToken(api, shown.elements) : { problem: null }),
    destroy: () => shown?.element.destroy(),
  };
}

function toOptions({ amount, currency, types, keepsMethod }: ProcessorFields): object {
  return {
    ...(amount === null ? { mode: 'setup' } : { mode: 'payment', amount }),
    currency,
    ...(amount !== null && keepsMethod ? { setupFutureUsage: 'off_session' } : {}),
    allowedPaymentMethodTypes: types,
    appearance: toAppearance(),
  };
}

/** What can be changed of fields that stand there. */
function toChanges({ amount, types, keepsMethod }: ProcessorFields): object {
  const kept = { setupFutureUsage: keepsMethod ? 'off_session' : null };
  return { allowedPaymentMethodTypes: types, ...(amount !== null && { amount, ...kept }) };
}

/** As our own fields look, light or dark. */
function toAppearance(): object {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    variables: {
      fontFamily: read('--sans'),
      colorPrimary: read('--accent'),
      colorBackground: read('--sheet'),
      colorText: read('--ink'),
      colorTextSecondary: read('--ink-soft'),
      colorDanger: read('--danger'),
      borderRadius: read('--radius-field'),
    },
  };
}

async function readToken(api: StripeApi, elements: StripeElements) {
  const { error: missing } = await elements.submit();
  if (missing) return { problem: missing.message ?? null };
  const params = { return_url: location.href.split(/[?#]/)[0] ?? '' };
  const { confirmationToken, error } = await api.createConfirmationToken({ elements, params });
  return confirmationToken ? { token: confirmationToken.id } : { problem: error?.message ?? null };
}
