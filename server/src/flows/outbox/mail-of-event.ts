/** Which mail goes to the buyer with an event. */
import { chooseMailKind, type SaleKind } from '../../domain/mails/kinds.ts';

interface Snapshot {
  payment?: { type?: string };
  subscription?: { status?: string; currentIntervalStart?: number | null };
}

/** Reads the event's own data, in the form in which it is told (`EventData`). */
export function chooseMailOfEvent(type: string, data: object): SaleKind | null {
  const { payment, subscription } = data as Snapshot;
  return chooseMailKind({
    type,
    paymentType: payment?.type ?? null,
    subscriptionStatus: subscription?.status ?? null,
    hasStarted: (subscription?.currentIntervalStart ?? null) !== null,
  });
}
