/** Counterfoil's API as typed methods. */
export type * from './call.ts';
export { Counterfoil, type CounterfoilOptions } from './client.ts';
export * from './errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export {
  signWebhook,
  verifyRedirect,
  verifyWebhook,
  WebhookVerificationError,
  webhookHandler,
} from './webhooks.ts';
