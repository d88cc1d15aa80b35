import type { Machine } from './machine.ts';

export type WebhookStatus = 'active' | 'inactive';
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'dropped';

/** A webhook is switched off by its owner, by a 410 or by a streak of failures, and on again by its owner. */
export const WEBHOOK: Machine<WebhookStatus> = {
  name: 'webhook',
  initial: ['active', 'inactive'],
  moves: { active: ['inactive'], inactive: ['active'] },
};

/** A delivery ends once: a resend is another delivery. */
export const DELIVERY: Machine<DeliveryStatus> = {
  name: 'webhook delivery',
  initial: ['waiting'],
  moves: { waiting: ['delivered', 'failed', 'dropped'], delivered: [], failed: [], dropped: [] },
};
