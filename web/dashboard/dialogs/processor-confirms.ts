/** Dialogs about whoever takes the store's money. */
import { type Row, textOf } from '../api/objects.ts';
import { ACCOUNT_FIELDS, PAYPAL_FIELDS } from '../forms/processors.ts';
import type { Field } from '../forms/types.ts';
import type { ConfirmDeclaration } from './confirm-declaration.ts';

const DAY_MS = 86_400_000;

const id = (row: Row) => encodeURIComponent(textOf(row, 'id'));

const rotatesCredentials = (fields: readonly Field[]) => ({
  title: 'rotateCredentials.title' as const,
  text: 'rotateCredentials.text' as const,
  confirm: 'rotateCredentials.title' as const,
  method: 'POST' as const,
  path: (row: Row) => `/v0/processors/${id(row)}/rotateCredentials`,
  fields,
});

export const PROCESSOR_CONFIRMS: Readonly<Record<string, ConfirmDeclaration>> = {
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
  'reconcile-processor': {
    title: 'reconcile.title',
    text: 'reconcile.text',
    confirm: 'reconcile.title',
    method: 'POST',
    path: (row) => `/v0/processors/${id(row)}/reconcile`,
    toBody: () => ({ to: Date.now() }),
    fields: [
      {
        name: 'from',
        label: 'reconcile.from',
        kind: 'time',
        required: true,
        // When the dialog opens.
        get initial() {
          return Date.now() - DAY_MS;
        },
      },
      { name: 'to', label: 'reconcile.to', kind: 'time', hint: 'reconcile.toHint' },
    ],
  },
  'invite-cards': {
    title: 'inviteCards.title',
    text: 'inviteCards.text',
    confirm: 'inviteCards.title',
    method: 'POST',
    path: (row) => `/v0/processors/${id(row)}/invite-cards`,
    done: { text: 'inviteCards.done', count: 'sent' },
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
};
