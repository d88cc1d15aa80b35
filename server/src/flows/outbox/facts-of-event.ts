/** What is counted of an event, for whoever watches a whole installation: modes, types and outcomes alone. */
import type { Fact } from '../../db/committed-facts.ts';
import type { Scope } from '../../db/scope.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import type { EventType } from '../../resources/events/event-types.ts';

export function toFacts({ testMode }: Scope, { type, data }: { type: EventType; data: object }): Fact[] {
  // Every event's data are in the API's form (`EventData`).
  const { payment } = data as { payment?: { type: string; status: string } };
  if (!payment) return [];
  const labels = { mode: testMode ? 'test' : 'live', type: payment.type };
  switch (type) {
    case 'payment_success':
    case 'payment_failed': {
      const told = { ...labels, outcome: type === 'payment_success' ? 'paid' : 'failed' };
      return [
        { name: 'payments', labels: told },
        ...(isInitialPayment(payment.type) ? [{ name: 'sales', labels: told }] : []),
        ...(payment.type === 'subscription_interval' ? [{ name: 'renewals', labels: told }] : []),
      ];
    }
    case 'payment_refunded': {
      const outcome = payment.status === 'REFUNDED' ? 'full' : 'partial';
      return [{ name: 'refunds', labels: { ...labels, outcome } }];
    }
    case 'subscription_created':
    case 'subscription_interval':
    case 'subscription_updated':
    case 'subscription_cancelled':
      return [];
  }
}
