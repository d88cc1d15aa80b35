/** What a processor asks of the buyer of a charge that waits for them, in the page or on its own. */
import { askAction, confirmCheckout } from '../../ui/api.ts';
import type { SessionView } from '../../ui/view.ts';
import { loadStripe } from './stripe-script.ts';

/** What has become of it; null where nobody could say, or where the buyer has left for another page. */
export async function authenticate(apiUrl: string): Promise<SessionView | null> {
  const asked = await askAction(apiUrl);
  const action = asked.kind === 'ok' ? asked.data.action : null;
  if (action?.kind === 'redirect') {
    window.location.assign(action.url);
    return null;
  }
  if (action?.kind === 'script') {
    const { script, publishableKey, clientSecret } = action;
    const stripe = (await loadStripe(script))(publishableKey, { locale: document.documentElement.lang });
    await stripe.handleNextAction({ clientSecret });
  }
  const answer = await confirmCheckout(apiUrl);
  return answer.kind === 'ok' ? answer.data.checkout : null;
}
