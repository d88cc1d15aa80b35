import { type Answer, getCheckout } from '../../ui/api.ts';
import type { SessionView } from '../../ui/view.ts';

/**
 * Of a session that has ended while its page was open: goes to the page that says so and leads on. False where the
 * answer says no such thing.
 */
export async function showEnded(
  apiUrl: string,
  answer: Answer<unknown>,
  onView: (view: SessionView) => void,
): Promise<boolean> {
  if (answer.kind !== 'refused' || answer.code !== 'checkout_expired') return false;
  const now = await getCheckout(apiUrl);
  if (now.kind !== 'ok' || now.data.checkout.status === 'open') return false;
  onView(now.data.checkout);
  return true;
}
