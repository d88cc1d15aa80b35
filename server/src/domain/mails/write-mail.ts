/** From a kind and what it is about to the mail itself: subject, HTML and plain text. */
import { assert } from '../assert.ts';
import { type LegalPaths, toManagePath } from '../consumer/legal-paths.ts';
import { isSaleKind, type MailKind, type MailParams, OTHER_KINDS, type OtherKind } from './kinds.ts';
import type { Block, Draft, FooterLink, Letter } from './letter.ts';
import { toOneLine } from './plain.ts';
import type { MailSale } from './sale.ts';
import { writeOtherMail } from './write-other.ts';
import { writeSaleMail } from './write-sale.ts';
import { createWriter, type Writer } from './writer.ts';

/** How the shop shows itself, and where it says what holds. Addresses are whole. */
export interface MailLook {
  logo: string | null;
  /** `#rrggbb`, dark enough for white on it. */
  accent: string | null;
  websiteUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  imprintUrl: string | null;
}

export interface MailSource {
  kind: MailKind;
  language: string;
  /** Of the kind, as they were queued. */
  params: object;
  /** Of the kinds that are about a sale. */
  sale: MailSale | null;
  sender: {
    /** As buyers know them. */
    name: string;
    email: string | null;
    /** Lines of the postal address. */
    address: string[];
    look: MailLook;
  };
  recipient: string;
  /** Addresses of the pages where buyers withdraw and cancel; in every mail of a sale. */
  legal: LegalPaths;
  /** Where the store is in the dashboard; null in mails of an account. */
  dashboard: string | null;
  isTest: boolean;
}

/** Longer subjects are cut by mail programs; a name of a product may be as long as it likes. */
const SUBJECT_MAX = 200;

/** What HTML and plain text are made of. */
export function writeLetter(source: MailSource): Letter {
  const writer = createWriter(source.language);
  const draft = writeDraft(writer, source);
  const subject = source.isTest ? writer.text('subject.test', { subject: draft.subject }) : draft.subject;
  return {
    ...draft,
    blocks: [...draft.blocks, ...toManageLink(writer, source), ...toDashboardLink(writer, source)],
    subject: [...toOneLine(subject)].slice(0, SUBJECT_MAX).join(''),
    language: writer.language,
    from: source.sender.name,
    ...toLook(source),
    footer: toFooter(writer, source),
    footerLinks: toFooterLinks(writer, source),
    banner: source.isTest ? writer.text('footer.testMode') : null,
  };
}

function writeDraft(writer: Writer, { kind, params, sale, sender, legal, recipient }: MailSource): Draft {
  const seller = sender.name;
  if (isSaleKind(kind)) {
    assert(sale, 'a mail about a sale is given its sale');
    return writeSaleMail(kind, { writer, seller, sale });
  }
  // Params were typed by their kind when they were queued.
  const draft = writeOtherMail(kind as OtherKind, {
    writer,
    seller,
    params: params as MailParams[OtherKind],
  });
  if (!ASKS_TO_MANAGE.has(kind) || legal.portal === null) return draft;
  // Its own button leads to where another card is given.
  if (kind === 'card_expiring' && (params as MailParams['card_expiring']).cardUrl) return draft;
  const { subscriptionNumber } = params as MailParams['trial_ending'];
  const purchase = { kind: 'subscriptions' as const, number: subscriptionNumber, email: recipient };
  const url = toManagePath(legal.portal, purchase);
  const [label, fallback] = [writer.text('button.manageSubscription'), writer.text('link.fallback')];
  return { ...draft, blocks: [...draft.blocks, { kind: 'button', label, url, fallback }] };
}

/** What they tell of is done in the portal: to cancel, to give another card. */
const ASKS_TO_MANAGE: ReadonlySet<MailKind> = new Set(['trial_ending', 'renewal_reminder', 'card_expiring']);

const TO_OWNERS: ReadonlySet<string> = new Set(
  OTHER_KINDS.filter((kind) =>
    /^(webhook_|portal_guarded|low_stock|awaiting_stock|dispute_|early_fraud_|charge_held|processor_|inactivity_)|_waiting$/.test(
      kind,
    ),
  ),
);

/** What a mail to the shop's own people is about lies there: by its order where it names one, or where such things are. */
function toDashboardLink(writer: Writer, { kind, params, dashboard }: MailSource): Block[] {
  if (dashboard === null || !TO_OWNERS.has(kind)) return [];
  const { orderNumber = null } = params as { orderNumber?: string | null };
  const place = PLACES.find(([about]) => about.test(kind))?.[1];
  if (place === undefined && orderNumber !== null)
    return [
      {
        kind: 'link',
        label: writer.text('button.order'),
        url: `${dashboard}/orders/${encodeURIComponent(orderNumber)}`,
      },
    ];
  return [{ kind: 'link', label: writer.text('button.dashboard'), url: `${dashboard}${place ?? ''}` }];
}

const PLACES: ReadonlyArray<readonly [about: RegExp, place: string]> = [
  [/^webhook_/, '/developers/webhooks'],
  [/^low_stock$/, '/catalogue/products'],
  [/^processor_(?!refund_)/, '/settings/payments'],
  [/^withdrawal_waiting$/, '/orders/withdrawals'],
  [/^notice_waiting$/, '/orders/cancellation-notices'],
  [/^inactivity_/, '/settings/workspace'],
];

/** A shop shows itself to its buyers; its own people are written to by us. */
function toLook({ kind, sender: { look } }: MailSource): Pick<Letter, 'logo' | 'accent'> {
  return TO_OWNERS.has(kind) ? { logo: null, accent: null } : { logo: look.logo, accent: look.accent };
}

function toFooter(writer: Writer, { kind, sender }: MailSource): string[] {
  const { name, email, address } = sender;
  if (TO_OWNERS.has(kind)) return [writer.text('footer.owner', { workspace: name })];
  return [
    [name, ...address].join(', '),
    ...(email === null ? [] : [writer.text('footer.questions', { email })]),
  ];
}

/** In every mail to a buyer about what was bought: sign-in, and then that order or subscription. */
function toManageLink(writer: Writer, { kind, params, sale, legal, recipient: email }: MailSource): Block[] {
  if (legal.portal === null || !isOfPurchase(kind)) return [];
  // Their button leads there.
  if (ASKS_TO_MANAGE.has(kind)) return [];
  const { subscriptionNumber, orderNumber = null } = params as Partial<
    Record<'subscriptionNumber' | 'orderNumber', string>
  >;
  const ofSubscription = isSaleKind(kind)
    ? (sale?.subscription?.number ?? null)
    : (subscriptionNumber ?? null);
  // The number of a statement is what somebody typed.
  const ofOrder = ORDER_NEWS.has(kind) ? orderNumber : null;
  const number = ofSubscription ?? (isSaleKind(kind) ? (sale?.orderNumber ?? null) : ofOrder);
  if (number === null) return [];
  const purchase = {
    kind: ofSubscription === null ? ('orders' as const) : ('subscriptions' as const),
    number,
    email,
  };
  return [{ kind: 'link', label: writer.text('button.manage'), url: toManagePath(legal.portal, purchase) }];
}

const LEGAL_PAGES = ['website', 'terms', 'privacy', 'imprint'] as const;

/** What holds, below every mail to a buyer; the ways out of a contract beside what is sold alone. */
function toFooterLinks(writer: Writer, { kind, legal, sender: { look } }: MailSource): FooterLink[] {
  if (TO_OWNERS.has(kind)) return [];
  const pages = LEGAL_PAGES.flatMap((page) => {
    const url = look[`${page}Url`];
    return url === null ? [] : [{ label: writer.text(`footer.${page}`), url }];
  });
  if (!isOfPurchase(kind)) return pages;
  const { withdraw, cancel } = legal;
  return [
    ...pages,
    ...(withdraw === null ? [] : [{ label: writer.text('footer.withdraw'), url: withdraw }]),
    ...(cancel === null ? [] : [{ label: writer.text('footer.cancel'), url: cancel }]),
  ];
}

const ORDER_NEWS: ReadonlySet<MailKind> = new Set([
  'transfer_awaited',
  'payment_processing',
  'refund_delayed',
]);

const SUBSCRIPTION_NEWS: ReadonlySet<MailKind> = new Set([
  'trial_ending',
  'renewal_reminder',
  'card_expiring',
  'payment_method_wanted',
  'payment_overdue',
  'subscription_unpaid',
  'payment_method_gone',
  'withdrawal_decided',
  'notice_decided',
]);

const isOfPurchase = (kind: MailKind): boolean =>
  isSaleKind(kind) || ORDER_NEWS.has(kind) || SUBSCRIPTION_NEWS.has(kind);
