/** Dialogs that ask little: what will happen, perhaps a field or two, and one call. */
import { type Row, textOf } from '../api/objects.ts';
import type { Write } from '../api/use-api.ts';
import { ACCOUNT_FIELDS, PAYPAL_FIELDS } from '../forms/processors.ts';
import type { Field } from '../forms/types.ts';
import type { TextKey } from '../ui/texts.ts';

export interface ConfirmDeclaration {
  title: TextKey;
  text: TextKey;
  confirm: TextKey;
  /** Takes money: what was typed, or what comes next. The button says how much, once it is known. */
  takes?: 'amount' | 'upcomingPayment';
  isDanger?: boolean;
  method: 'POST' | 'PATCH' | 'DELETE';
  path(row: Row): string;
  fields?: readonly Field[];
  body?: Readonly<Record<string, unknown>>;
  /** What of the row goes with the call. */
  toBody?(row: Row): Record<string, unknown>;
  /** Takes it back within ten seconds. */
  undo?(row: Row): Write;
  /** Shows what stands in its fields before. */
  showsNow?: boolean;
  /** Where to go when what the page shows is gone. */
  next?: string;
  /** Fields of the answer that are shown this once. */
  reveals?: readonly string[];
}

const note = { name: 'note', kind: 'long', hint: 'decide.noteHint' } as const;
const givenBack = { name: 'amount', kind: 'money', hint: 'acceptWithdrawal.amountHint' } as const;

const id = (row: Row) => encodeURIComponent(textOf(row, 'id'));
const number = (row: Row) => encodeURIComponent(textOf(row, 'number') || textOf(row, 'id'));

const decidesWithdrawal = (accept: boolean) => ({
  method: 'PATCH' as const,
  path: (row: Row) => `/v0/withdrawals/${id(row)}/decide`,
  body: { accept },
});

const rotatesCredentials = (fields: readonly Field[]) => ({
  title: 'rotateCredentials.title' as const,
  text: 'rotateCredentials.text' as const,
  confirm: 'rotateCredentials.title' as const,
  method: 'POST' as const,
  path: (row: Row) => `/v0/processors/${id(row)}/rotateCredentials`,
  fields,
});

const decidesNotice = (accept: boolean) => ({
  method: 'PATCH' as const,
  path: (row: Row) => `/v0/cancellation-notices/${id(row)}/decide`,
  body: { accept },
});

export const CONFIRMS: Readonly<Record<string, ConfirmDeclaration>> = {
  'cancel-order': {
    title: 'action.cancelOrder',
    text: 'cancelOrder.text',
    confirm: 'action.cancelOrder',
    isDanger: true,
    method: 'PATCH',
    path: (row) => `/v0/orders/${number(row)}/cancel`,
  },
  'correct-order': {
    title: 'action.correctOrder',
    text: 'correctOrder.text',
    confirm: 'correctOrder.confirm',
    method: 'PATCH',
    path: (row) => `/v0/orders/${number(row)}/update`,
    showsNow: true,
    fields: [
      {
        name: 'status',
        kind: 'choice',
        options: [
          'PENDING',
          'PAID',
          'FAILED',
          'UNPAID',
          'CANCELLED',
          'REFUNDED',
          'PARTIALLY_REFUNDED',
          'EXPIRED',
        ],
        names: 'status.',
      },
      { name: 'value', kind: 'money' },
      { name: 'tax', kind: 'money' },
      { name: 'fee', kind: 'money' },
    ],
  },
  'cancel-payment': {
    title: 'cancelPayment.title',
    text: 'cancelPayment.text',
    confirm: 'cancelPayment.title',
    isDanger: true,
    method: 'POST',
    path: (row) => `/v0/payments/${id(row)}/cancel`,
  },
  'accept-charge': {
    title: 'acceptCharge.title',
    text: 'acceptCharge.text',
    confirm: 'action.accept',
    method: 'POST',
    path: (row) => `/v0/charges/${id(row)}/accept`,
    fields: [{ name: 'note', kind: 'long', required: true }],
  },
  'return-charge': {
    title: 'returnCharge.title',
    text: 'returnCharge.text',
    confirm: 'action.sendBack',
    isDanger: true,
    method: 'POST',
    path: (row) => `/v0/charges/${id(row)}/return`,
    fields: [{ name: 'note', kind: 'long', required: true }],
  },
  'settle-refund': {
    title: 'action.markSettled',
    text: 'settleRefund.text',
    confirm: 'action.markSettled',
    method: 'POST',
    path: (row) => `/v0/refunds/${id(row)}/settle`,
    fields: [{ name: 'reference', kind: 'text', required: true, hint: 'settleRefund.referenceHint' }],
  },
  'pause-processor': {
    title: 'pauseProcessor.title',
    text: 'pauseProcessor.text',
    confirm: 'pauseProcessor.title',
    method: 'PATCH',
    path: (row) => `/v0/processors/${id(row)}/update`,
    body: { status: 'paused' },
  },
  'resume-processor': {
    title: 'resumeProcessor.title',
    text: 'resumeProcessor.text',
    confirm: 'resumeProcessor.title',
    method: 'PATCH',
    path: (row) => `/v0/processors/${id(row)}/update`,
    body: { status: 'active' },
  },
  'archive-processor': {
    title: 'archiveProcessor.title',
    text: 'archiveProcessor.text',
    confirm: 'archiveProcessor.title',
    isDanger: true,
    method: 'PATCH',
    path: (row) => `/v0/processors/${id(row)}/archive`,
    fields: [{ name: 'confirm', label: 'archiveProcessor.confirm', kind: 'yes' }],
  },
  'check-processor': {
    title: 'checkProcessor.title',
    text: 'checkProcessor.text',
    confirm: 'checkProcessor.title',
    method: 'POST',
    path: (row) => `/v0/processors/${id(row)}/check`,
  },
  'rotate-credentials': rotatesCredentials(ACCOUNT_FIELDS),
  'rotate-paypal-credentials': rotatesCredentials(PAYPAL_FIELDS),
  'rotate-webhook': {
    title: 'rotateWebhook.title',
    text: 'rotateWebhook.text',
    confirm: 'rotateWebhook.title',
    method: 'POST',
    path: (row) => `/v0/processors/${id(row)}/rotateWebhook`,
  },
  'acknowledge-report': {
    title: 'acknowledgeReport.title',
    text: 'acknowledgeReport.text',
    confirm: 'acknowledgeReport.title',
    method: 'POST',
    path: (row) =>
      `/v0/processors/${encodeURIComponent(textOf(row, 'processorId'))}/reports/${id(row)}/acknowledge`,
    fields: [{ name: 'note', kind: 'long', required: true, hint: 'acknowledgeReport.noteHint' }],
  },
  'retry-processor-event': {
    title: 'retryEvent.title',
    text: 'retryEvent.text',
    confirm: 'retryEvent.title',
    method: 'POST',
    path: (row) => `/v0/processors/${encodeURIComponent(textOf(row, 'processorId'))}/events/${id(row)}/retry`,
  },
  'accept-withdrawal': {
    title: 'acceptWithdrawal.title',
    text: 'acceptWithdrawal.text',
    confirm: 'acceptWithdrawal.title',
    ...decidesWithdrawal(true),
    fields: [givenBack, note],
  },
  'match-withdrawal': {
    title: 'acceptWithdrawal.title',
    text: 'acceptWithdrawal.matchText',
    confirm: 'acceptWithdrawal.title',
    ...decidesWithdrawal(true),
    fields: [{ name: 'orderId', label: 'decide.order', kind: 'text', required: true }, givenBack, note],
  },
  'refuse-withdrawal': {
    title: 'refuseWithdrawal.title',
    text: 'refuseWithdrawal.text',
    confirm: 'refuseWithdrawal.title',
    isDanger: true,
    ...decidesWithdrawal(false),
    fields: [
      {
        name: 'reason',
        kind: 'choice',
        options: ['late', 'waived', 'business', 'excluded', 'elsewhere', 'other'],
        names: 'withdrawalReason.',
        required: true,
        initial: 'other',
      },
      note,
    ],
  },
  'accept-notice': {
    title: 'acceptNotice.title',
    text: 'acceptNotice.text',
    confirm: 'acceptNotice.title',
    ...decidesNotice(true),
    fields: [note],
  },
  'match-notice': {
    title: 'acceptNotice.title',
    text: 'acceptNotice.matchText',
    confirm: 'acceptNotice.title',
    ...decidesNotice(true),
    fields: [{ name: 'subscriptionId', label: 'decide.subscription', kind: 'text', required: true }, note],
  },
  'refuse-notice': {
    title: 'refuseNotice.title',
    text: 'refuseNotice.text',
    confirm: 'refuseNotice.title',
    isDanger: true,
    ...decidesNotice(false),
    fields: [note],
  },
  'copy-portal-link': {
    title: 'action.copyPortalLink',
    text: 'portalLink.copyText',
    confirm: 'portalLink.create',
    method: 'POST',
    path: () => '/v0/portal-sessions/create',
    toBody: (row) => ({ userId: textOf(row, 'id') }),
    reveals: ['url'],
  },
  'send-portal-link': {
    title: 'action.sendPortalLink',
    text: 'portalLink.sendText',
    confirm: 'action.sendPortalLink',
    method: 'POST',
    path: () => '/v0/portal/sign-in/request',
    toBody: (row) => ({ store: row.store, testMode: row.testMode, email: textOf(row, 'email') }),
  },
  'accept-deletion': {
    title: 'action.acceptDeletion',
    text: 'acceptDeletion.text',
    confirm: 'action.acceptDeletion',
    isDanger: true,
    method: 'POST',
    path: (row) => `/v0/users/${id(row)}/deletion/accept`,
  },
  'pause-subscription': {
    title: 'action.pauseSubscription',
    text: 'pause.text',
    confirm: 'action.pauseSubscription',
    method: 'PATCH',
    path: (row) => `/v0/subscriptions/${id(row)}/pauseCollection`,
    fields: [
      {
        name: 'invoicingBehavior',
        label: 'pause.behaviour',
        kind: 'choice',
        options: ['void', 'keep_as_draft', 'mark_uncollectible'],
        names: 'pauseBehaviour.',
        required: true,
        initial: 'void',
      },
      { name: 'resumeAt', label: 'pause.resumeAt', kind: 'time', hint: 'form.utc' },
    ],
  },
  'resume-subscription': {
    title: 'action.resumeSubscription',
    text: 'resume.text',
    confirm: 'action.resumeSubscription',
    method: 'PATCH',
    path: (row) => `/v0/subscriptions/${id(row)}/resume`,
  },
  'end-trial': {
    title: 'action.endTrial',
    text: 'endTrial.text',
    confirm: 'action.endTrial',
    method: 'POST',
    path: (row) => `/v0/subscriptions/${id(row)}/end-trial`,
    takes: 'upcomingPayment',
  },
  charge: {
    title: 'action.charge',
    text: 'charge.text',
    confirm: 'action.charge',
    method: 'POST',
    path: (row) => `/v0/subscriptions/${id(row)}/charge`,
    takes: 'amount',
    fields: [
      { name: 'amount', kind: 'money', required: true },
      { name: 'description', kind: 'text', required: true },
    ],
  },
  'archive-customer': {
    title: 'archive.customer',
    text: 'archive.customerText',
    confirm: 'action.archive',
    isDanger: true,
    method: 'PATCH',
    path: (row) => `/v0/users/${id(row)}/archive`,
    undo: (row) => ({ method: 'PATCH', path: `/v0/users/${id(row)}/unarchive` }),
  },
  'archive-product': {
    title: 'archive.product',
    text: 'archive.productText',
    confirm: 'action.archive',
    isDanger: true,
    method: 'PATCH',
    path: (row) => `/v0/products/${id(row)}/archive`,
    undo: (row) => ({
      method: 'PATCH',
      path: `/v0/products/${id(row)}/unarchive`,
      body: { withOffers: true },
    }),
  },
  'resend-event': {
    title: 'resend.event',
    text: 'resend.eventText',
    confirm: 'action.resend',
    method: 'POST',
    path: (row) => `/v0/events/${id(row)}/resend`,
    // From the page of a webhook: to that one alone.
    toBody: ({ webhookId }) => (webhookId ? { webhookId } : {}),
  },
  'resend-mail': {
    title: 'resend.mail',
    text: 'resend.mailText',
    confirm: 'action.resend',
    method: 'POST',
    path: (row) => `/v0/mails/${id(row)}/resend`,
  },
  'resend-since': {
    title: 'action.resendSince',
    text: 'resend.sinceText',
    confirm: 'action.resend',
    method: 'POST',
    path: (row) => `/v0/webhooks/${id(row)}/resend`,
    fields: [{ name: 'since', kind: 'time', required: true, hint: 'form.utc' }],
  },
  'rotate-secret': {
    title: 'action.rotateSecret',
    text: 'rotate.text',
    confirm: 'action.rotateSecret',
    isDanger: true,
    method: 'POST',
    path: (row) => `/v0/webhooks/${id(row)}/rotateSecret`,
    reveals: ['secret'],
  },
  'reveal-secret': {
    title: 'reveal.title',
    text: 'reveal.text',
    confirm: 'action.reveal',
    method: 'POST',
    path: (row) => `/v0/webhooks/${id(row)}/reveal-secret`,
    reveals: ['secret'],
  },
  'roll-key': {
    title: 'rollKey.title',
    text: 'rollKey.text',
    confirm: 'action.roll',
    method: 'POST',
    path: (row) => `/v0/api-keys/${id(row)}/roll`,
    fields: [{ name: 'graceHours', kind: 'number', required: true, initial: '24', hint: 'rollKey.grace' }],
    reveals: ['publicKey', 'secretKey'],
  },
  'revoke-key': {
    title: 'revokeKey.title',
    text: 'revokeKey.text',
    confirm: 'action.revoke',
    isDanger: true,
    method: 'PATCH',
    path: (row) => `/v0/api-keys/${id(row)}/revoke`,
  },
  'remove-member': {
    title: 'removeMember.title',
    text: 'removeMember.text',
    confirm: 'action.remove',
    isDanger: true,
    method: 'DELETE',
    path: (row) => `/v0/members/${id(row)}/remove`,
  },
};
