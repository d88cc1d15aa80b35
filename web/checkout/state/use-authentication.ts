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
      if (answer.kind === 'ok') onView(answer.data.checkout);
    },
  });
  return start ?? (frameMode() === null ? undefined : goToBank);
}
