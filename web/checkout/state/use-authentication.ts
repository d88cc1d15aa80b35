import { confirmCheckout } from '../../ui/api.ts';
import { useAuthentication as useProcessor } from '../../ui/processor/use-authentication.ts';
import type { CheckoutView, SessionView } from '../../ui/view.ts';
import { frameMode } from '../frame/channel.ts';
import { goToBank } from '../frame/journey.tsx';

/** What leads on from the page of somebody who waits; undefined where a link does. */
export function useAuthentication(
  view: CheckoutView,
  onView: (view: SessionView) => void,
): ((url: string) => void) | undefined {
  const { apiUrl, status, action } = view;
  const start = useProcessor({
    ...{ apiUrl, status },
    isAsked: status === 'requires_action' && action?.isAsked === true,
    goTo: goToBank,
    onDone: async () => {
      const answer = await confirmCheckout(apiUrl);
      // An answer that is lost is asked for again until it comes: the bank may have said yes.
      onView(answer.kind === 'ok' ? answer.data.checkout : { ...view, status: 'processing', action: null });
    },
  });
  return start ?? (frameMode() === null ? undefined : goToBank);
}
