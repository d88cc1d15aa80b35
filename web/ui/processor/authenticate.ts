/** What a processor asks of the buyer of a charge that waits for them, in the page or on its own. */
import { askAction } from '../api.ts';
import { loadStripe } from './stripe-script.ts';

/** Ends when the buyer has, whatever came of it; false where they have left for another page. */
export async function authenticate(apiUrl: string, goTo: (url: string) => void): Promise<boolean> {
  const asked = await askAction(apiUrl);
  const action = asked.kind === 'ok' ? asked.data.action : null;
  if (action?.kind === 'redirect') {
    goTo(action.url);
    return false;
  }
  if (action?.kind === 'script') {
    const { script, publishableKey, clientSecret } = action;
    const stripe = (await loadStripe(script))(publishableKey, { locale: document.documentElement.lang });
    await stripe.handleNextAction({ clientSecret });
  }
  return true;
}
