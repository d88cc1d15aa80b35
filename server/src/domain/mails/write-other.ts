/** The mails that are written from their own params: reminders to buyers, news to owners, links to get in. */
import { nameMethod } from '../payments/method-name.ts';
import { toInstructionText } from '../processors/transfer.ts';
import type { MailKind, MailParams, OtherKind } from './kinds.ts';
import type { Block, Draft, Fact } from './letter.ts';
import { hasText, type TextKey } from './texts.ts';
import { STATEMENT_WRITERS } from './write-statements.ts';
import type { Writer } from './writer.ts';

interface Writing<P> {
  writer: Writer;
  /** The seller's name, or the workspace's to those who work there. */
  seller: string;
  params: P;
}

/** Writes a mail of any kind that is not about a sale. */
export function writeOtherMail<K extends OtherKind>(kind: K, writing: Writing<MailParams[K]>): Draft {
  const write: (writing: Writing<MailParams[K]>) => Draft = WRITERS[kind];
  return write(writing);
}

const WRITERS: { [K in OtherKind]: (writing: Writing<MailParams[K]>) => Draft } = {
  trial_ending: ({ writer, seller, params }) => {
    const date = writer.date(params.endsAtMs);
    const values = { seller, date, product: params.productName, amount: amountOf(writer, params) };
    const { taxMinor, currency } = params;
    return draft(writer, 'trial_ending', values, [
      facts(
        subscriptionFact(writer, params),
        { label: writer.text('label.trialEnds'), value: date },
        amountFact(writer, params),
        ...(taxMinor ? [{ label: writer.text('total.tax'), value: writer.money(taxMinor, currency) }] : []),
      ),
    ]);
  },
  renewal_reminder: ({ writer, seller, params }) => {
    const date = writer.date(params.renewsAtMs);
    const values = { seller, date, product: params.productName, amount: amountOf(writer, params) };
    return draft(writer, 'renewal_reminder', values, [
      facts(
        subscriptionFact(writer, params),
        { label: writer.text('label.nextPayment'), value: date },
        amountFact(writer, params),
      ),
    ]);
  },
  card_expiring: ({ writer, seller, params }) => {
    const brand = nameMethod({ type: 'card', brand: params.brand }) ?? writer.text('card.plain');
    const card = params.last4 ? writer.text('card.ending', { brand, last4: params.last4 }) : brand;
    return draft(writer, 'card_expiring', { seller, product: params.productName }, [
      facts(
        subscriptionFact(writer, params),
        { label: writer.text('label.card'), value: card },
        { label: writer.text('label.expires'), value: params.expires },
      ),
      ...(params.cardUrl ? [button(writer, 'button.card', params.cardUrl)] : []),
    ]);
  },
  payment_method_wanted: ({ writer, seller, params }) =>
    draft(writer, 'payment_method_wanted', { seller, product: params.productName }, [
      facts(subscriptionFact(writer, params)),
      button(writer, 'button.addCard', params.url),
    ]),
  payment_method_gone: ({ writer, seller, params }) =>
    draft(writer, 'payment_method_gone', { seller, product: params.productName }, [
      facts(subscriptionFact(writer, params)),
      button(writer, 'button.card', params.url),
    ]),
  payment_overdue: ({ writer, seller, params }) => {
    const values = { seller, product: params.productName, amount: amountOf(writer, params) };
    const until = params.endsAtMs === null ? null : writer.date(params.endsAtMs);
    return draft(writer, 'payment_overdue', values, [
      ...(until === null ? [] : [text(writer, 'payment_overdue.until', { date: until })]),
      facts(subscriptionFact(writer, params), amountFact(writer, params)),
      button(writer, 'button.pay', params.payUrl),
    ]);
  },
  subscription_unpaid: ({ writer, seller, params }) => {
    const values = { seller, product: params.productName, amount: amountOf(writer, params) };
    return draft(writer, 'subscription_unpaid', values, [
      facts(subscriptionFact(writer, params), amountFact(writer, params)),
      button(writer, 'button.pay', params.payUrl),
    ]);
  },
  webhook_blocked: (writing) => writeWebhook('webhook_blocked', writing),
  webhook_failing: (writing) => writeWebhook('webhook_failing', writing),
  webhook_recovering: (writing) => writeWebhook('webhook_recovering', writing),
  webhook_disabled: (writing) => writeWebhook('webhook_disabled', writing),
  low_stock: ({ writer, params }) =>
    draft(writer, 'low_stock', { offer: params.offerName }, [
      facts(
        { label: writer.text('label.offer'), value: params.offerName },
        { label: writer.text('label.available'), value: String(params.available) },
      ),
    ]),
  awaiting_stock: ({ writer, params }) =>
    draft(writer, 'awaiting_stock', { order: params.orderNumber }, [
      facts(
        { label: writer.text('label.order'), value: params.orderNumber },
        { label: writer.text('label.offer'), value: params.offerName },
        { label: writer.text('label.missing'), value: String(params.missing) },
      ),
    ]),
  dispute_opened: (writing) => writeDispute('dispute_opened', writing),
  dispute_inquiry: (writing) => writeDispute('dispute_inquiry', writing),
  dispute_excess: ({ writer, params }) =>
    draft(writer, 'dispute_excess', { order: params.orderNumber }, [
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params)),
    ]),
  early_fraud_warning: ({ writer, params }) =>
    draft(writer, 'early_fraud_warning', { order: params.orderNumber }, [
      text(writer, params.isRefunded ? 'early_fraud_warning.refunded' : 'early_fraud_warning.standing'),
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params)),
    ]),
  portal_guarded: ({ writer, seller, params }) =>
    draft(writer, 'portal_guarded', { workspace: seller, count: String(params.failures) }, []),
  charge_held: ({ writer, params: { orderNumber, paymentNumber, expected, taken } }) =>
    draft(writer, 'charge_held', { order: orderNumber }, [
      facts(
        { label: writer.text('label.order'), value: orderNumber },
        { label: writer.text('label.payment'), value: paymentNumber },
        { label: writer.text('label.expected'), value: amountOf(writer, expected) },
        { label: writer.text('label.taken'), value: amountOf(writer, taken) },
      ),
    ]),
  transfer_awaited: ({ writer, seller, params }) => {
    const { orderNumber, iban, bic, holder, dueAtMs } = params;
    const values = {
      seller,
      order: orderNumber,
      amount: amountOf(writer, params),
      date: writer.date(dueAtMs),
    };
    const own = toInstructionText(params.instructions, writer.language);
    return draft(writer, 'transfer_awaited', values, [
      facts(
        amountFact(writer, params),
        { label: writer.text('label.reference'), value: orderNumber },
        ...toFact(writer.text('label.holder'), holder),
        ...toFact(writer.text('label.iban'), iban),
        ...toFact(writer.text('label.bic'), bic),
        { label: writer.text('label.due'), value: writer.date(dueAtMs) },
      ),
      ...(own === null ? [] : [{ kind: 'text' as const, text: own }]),
    ]);
  },
  payment_processing: ({ writer, seller, params }) => {
    const { orderNumber, expectedByMs } = params;
    const date = writer.date(expectedByMs);
    const values = { seller, order: orderNumber, amount: amountOf(writer, params), date };
    return draft(writer, 'payment_processing', values, [
      facts({ label: writer.text('label.order'), value: orderNumber }, amountFact(writer, params)),
    ]);
  },
  processor_changed: ({ writer, params: { name, kind } }) =>
    draft(writer, 'processor_changed', { name }, [facts(processorFact(writer, name, kind))]),
  processor_broken: ({ writer, params: { name, kind } }) =>
    draft(writer, 'processor_broken', { name }, [facts(processorFact(writer, name, kind))]),
  processor_silent: ({ writer, params: { name, kind } }) =>
    draft(writer, 'processor_silent', { name }, [facts(processorFact(writer, name, kind))]),
  processor_event_parked: ({ writer, params: { name, type, eventId } }) =>
    draft(writer, 'processor_event_parked', { name }, [
      facts(
        { label: writer.text('label.processor'), value: name },
        { label: writer.text('label.notification'), value: `${type} (${eventId})` },
      ),
    ]),
  processor_refund_returned: ({ writer, params }) =>
    draft(writer, 'processor_refund_returned', { order: params.orderNumber }, [
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params)),
    ]),
  processor_refund_lost: ({ writer, params }) =>
    draft(writer, 'processor_refund_lost', { order: params.orderNumber }, [
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params)),
    ]),
  processor_refund_failed: ({ writer, params }) =>
    draft(writer, 'processor_refund_failed', { order: params.orderNumber }, [
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params), {
        label: writer.text('label.reason'),
        value: sayReason(writer, 'refund', params.reason),
      }),
    ]),
  refund_delayed: ({ writer, seller, params }) => {
    const values = { seller, order: params.orderNumber, amount: amountOf(writer, params) };
    return draft(writer, 'refund_delayed', values, [
      facts({ label: writer.text('label.order'), value: params.orderNumber }, amountFact(writer, params)),
    ]);
  },
  processor_report: ({ writer, params: { name, missing, unknown, differs } }) =>
    draft(writer, 'processor_report', { name }, [
      facts(
        { label: writer.text('label.processor'), value: name },
        { label: writer.text('label.missing_money'), value: String(missing) },
        { label: writer.text('label.unknown_money'), value: String(unknown) },
        { label: writer.text('label.amount_differs'), value: String(differs) },
      ),
    ]),
  checkout_reminder: ({ writer, seller, params }) => {
    const { productName: product, discountCode, resumeUrl = '', stopUrl = '' } = params;
    const code =
      discountCode === null ? [] : [text(writer, 'checkout_reminder.code', { code: discountCode })];
    return draft(writer, 'checkout_reminder', { seller, product }, [
      ...code,
      button(writer, 'checkout_reminder.button', resumeUrl),
      note(writer, 'checkout_reminder.why'),
      { kind: 'link', label: writer.text('checkout_reminder.stop'), url: stopUrl },
    ]);
  },
  payer_proof: ({ writer, seller, params }) => {
    const values = {
      seller,
      product: params.productName,
      length: writer.length(params.validMinutes, 'minute'),
    };
    return draft(writer, 'payer_proof', values, [
      facts(subscriptionFact(writer, params)),
      button(writer, 'payer_proof.button', params.url),
      note(writer, 'payer_proof.ignore'),
    ]);
  },
  ...STATEMENT_WRITERS,
  magic_link: ({ writer, seller, params }) =>
    draft(
      writer,
      'magic_link',
      { seller, length: writer.length(params.validMinutes, 'minute'), code: params.code },
      [
        code(writer, params.code),
        button(writer, 'magic_link.button', params.url),
        note(writer, 'magic_link.ignore'),
      ],
    ),
  email_change_code: ({ writer, seller, params }) =>
    draft(
      writer,
      'email_change_code',
      { seller, length: writer.length(params.validMinutes, 'minute'), code: params.code },
      [
        code(writer, params.code),
        button(writer, 'email_change_code.button', params.url),
        note(writer, 'email_change_code.ignore'),
      ],
    ),
  email_change_note: ({ writer, seller, params }) =>
    draft(writer, 'email_change_note', { seller, email: params.newEmail }, [
      button(writer, 'email_change_note.button', params.undoUrl),
      note(writer, 'email_change_note.ignore'),
    ]),
  email_change_taken: ({ writer, seller }) =>
    draft(writer, 'email_change_taken', { seller }, [note(writer, 'email_change_taken.ignore')]),
  password_reset: ({ writer, seller, params }) =>
    draft(writer, 'password_reset', { seller, length: writer.length(params.validMinutes, 'minute') }, [
      button(writer, 'password_reset.button', params.url),
      note(writer, 'password_reset.ignore'),
    ]),
  team_invitation: ({ writer, params }) => {
    const { workspaceName: workspace, inviterName: inviter, url } = params;
    const values = { workspace, length: writer.length(params.validDays, 'day'), inviter: inviter ?? '' };
    const key = inviter === null ? 'team_invitation.text' : 'team_invitation.textBy';
    return {
      ...draft(writer, 'team_invitation', values, []),
      preview: writer.text(key, values),
      blocks: [text(writer, key, values), button(writer, 'team_invitation.button', url)],
    };
  },
  inactivity_warning: ({ writer, params }) => {
    const values = { workspace: params.workspaceName, date: writer.date(params.atMs) };
    const sentence = text(writer, `inactivity_warning.text.${params.step}`, values);
    return {
      subject: writer.text(`inactivity_warning.subject.${params.step}`, values),
      title: writer.text('inactivity_warning.title'),
      preview: sentence.text,
      blocks: [sentence, text(writer, 'inactivity_warning.keep')],
    };
  },
};

/** Kinds whose subject, title and first sentence have the usual names. */
type UsualKind = Exclude<OtherKind, 'inactivity_warning' | keyof typeof STATEMENT_WRITERS>;

function draft(writer: Writer, kind: UsualKind, values: Record<string, string>, blocks: Block[]): Draft {
  const first = text(writer, `${kind}.text`, values);
  return {
    subject: writer.text(`${kind}.subject`, values),
    title: writer.text(`${kind}.title`, values),
    preview: first.text,
    blocks: [first, ...blocks],
  };
}

type WebhookKind = Extract<MailKind, `webhook_${string}`>;

function writeWebhook(
  kind: WebhookKind,
  { writer, seller, params }: Writing<MailParams[WebhookKind]>,
): Draft {
  const reason = toFact(writer.text('label.reason'), sayFailure(writer, params));
  return draft(writer, kind, { workspace: seller }, [
    facts({ label: writer.text('label.webhook'), value: params.url }, ...reason),
  ]);
}

/** What kind it was is said in the mail's language; what the network said of it stays as it said it. */
function sayFailure(writer: Writer, params: MailParams[WebhookKind]): string | null {
  const { reason, failure = null, statusCode = null } = params;
  if (statusCode !== null) return writer.text('attempt.answered', { status: String(statusCode) });
  return failure === null || reason === null ? reason : `${writer.text(`attempt.${failure}`)} (${reason})`;
}

/** Who answers is told until when, and where. */
function writeDispute(
  kind: 'dispute_opened' | 'dispute_inquiry',
  { writer, params }: Writing<MailParams['dispute_opened']>,
): Draft {
  const { orderNumber, reason = null, dueAtMs = null, processorUrl = null } = params;
  const due = dueAtMs === null ? null : writer.date(dueAtMs);
  return draft(writer, kind, { order: orderNumber }, [
    facts(
      { label: writer.text('label.order'), value: orderNumber },
      amountFact(writer, params),
      ...toFact(
        writer.text('label.disputeReason'),
        reason === null ? null : sayReason(writer, 'dispute', reason),
      ),
      ...toFact(writer.text('label.answerUntil'), due),
    ),
    ...(processorUrl === null
      ? []
      : [text(writer, 'dispute.answer'), button(writer, 'dispute.button', processorUrl)]),
  ]);
}

/** Banks know many: one without words of ours is told as they name it. */
function sayReason(writer: Writer, of: 'dispute' | 'refund', reason: string): string {
  const key = `${of}.reason.${reason}`;
  return hasText(writer.language, key) ? writer.text(key) : reason.replaceAll('_', ' ');
}

/** Its kind is said where its name does not say it. */
function processorFact(writer: Writer, name: string, kind: string): Fact {
  const key = `processor.kind.${kind}`;
  const called = hasText(writer.language, key) ? writer.text(key) : kind;
  return { label: writer.text('label.processor'), value: called === name ? name : `${name} (${called})` };
}

function text(writer: Writer, key: TextKey, values: Record<string, string> = {}) {
  return { kind: 'text' as const, text: writer.text(key, values) };
}

function note(writer: Writer, key: TextKey): Block {
  return { kind: 'note', text: writer.text(key) };
}

function facts(...all: Fact[]): Block {
  return { kind: 'facts', facts: all };
}

function code(writer: Writer, typed: string): Block {
  return { kind: 'code', label: writer.text('label.code'), code: typed };
}

function button(writer: Writer, key: TextKey, url: string): Block {
  return { kind: 'button', label: writer.text(key), url, fallback: writer.text('link.fallback') };
}

function subscriptionFact(writer: Writer, params: { subscriptionNumber: string }): Fact {
  return { label: writer.text('label.subscription'), value: params.subscriptionNumber };
}

function amountOf(writer: Writer, params: { amountMinor: number; currency: string }): string {
  return writer.money(params.amountMinor, params.currency);
}

function amountFact(writer: Writer, params: { amountMinor: number; currency: string }): Fact {
  return { label: writer.text('label.amount'), value: amountOf(writer, params) };
}

/** What is not known is not said. */
function toFact(label: string, value: string | null): Fact[] {
  return value === null ? [] : [{ label, value }];
}
