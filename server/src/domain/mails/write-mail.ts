/** From a kind and what it is about to the mail itself: subject, HTML and plain text. */
import { assert } from '../assert.ts';
import { toHtml } from './html.ts';
import { isSaleKind, type MailKind, type MailParams, OTHER_KINDS, type OtherKind } from './kinds.ts';
import type { Draft } from './letter.ts';
import { toOneLine, toPlainText } from './plain.ts';
import type { MailSale } from './sale.ts';
import { writeOtherMail } from './write-other.ts';
import { writeSaleMail } from './write-sale.ts';
import { createWriter, type Writer } from './writer.ts';

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
  };
  isTest: boolean;
}

export interface WrittenMail {
  subject: string;
  html: string;
  plain: string;
}

/** Longer subjects are cut by mail programs; a name of a product may be as long as it likes. */
const SUBJECT_MAX = 200;

export function writeMail(source: MailSource): WrittenMail {
  const writer = createWriter(source.language);
  const draft = writeDraft(writer, source);
  const subject = source.isTest ? writer.text('subject.test', { subject: draft.subject }) : draft.subject;
  const letter = {
    ...draft,
    subject: [...toOneLine(subject)].slice(0, SUBJECT_MAX).join(''),
    language: writer.language,
    from: source.sender.name,
    footer: toFooter(writer, source),
    banner: source.isTest ? writer.text('footer.testMode') : null,
  };
  return { subject: letter.subject, html: toHtml(letter), plain: toPlainText(letter) };
}

function writeDraft(writer: Writer, { kind, params, sale, sender }: MailSource): Draft {
  const seller = sender.name;
  if (isSaleKind(kind)) {
    assert(sale, 'a mail about a sale is given its sale');
    return writeSaleMail(kind, { writer, seller, sale });
  }
  // Params were typed by their kind when they were queued.
  return writeOtherMail(kind as OtherKind, { writer, seller, params: params as MailParams[OtherKind] });
}

const TO_OWNERS: ReadonlySet<string> = new Set(
  OTHER_KINDS.filter((kind) =>
    /^(webhook_|low_stock|awaiting_stock|dispute_|charge_held|inactivity_)/.test(kind),
  ),
);

function toFooter(writer: Writer, { kind, sender }: MailSource): string[] {
  const { name, email, address } = sender;
  if (TO_OWNERS.has(kind)) return [writer.text('footer.owner', { workspace: name })];
  return [
    [name, ...address].join(', '),
    ...(email === null ? [] : [writer.text('footer.questions', { email })]),
  ];
}
