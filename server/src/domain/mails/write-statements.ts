/** Mails about what buyers state: that it was received, what became of it, and that somebody has to decide. */
import type { MailParams } from './kinds.ts';
import type { Block, Draft, Fact } from './letter.ts';
import type { Writer } from './writer.ts';

type StatementKind =
  | 'withdrawal_received'
  | 'notice_received'
  | 'withdrawal_decided'
  | 'notice_decided'
  | 'withdrawal_waiting'
  | 'notice_waiting';

interface Writing<P> {
  writer: Writer;
  seller: string;
  params: P;
}

export const STATEMENT_WRITERS: { [K in StatementKind]: (writing: Writing<MailParams[K]>) => Draft } = {
  withdrawal_received: ({ writer, seller, params }) => {
    const { number, orderNumber, part, items = null, linkUrl } = params;
    return open(writer, 'withdrawal_received', { seller, number }, [
      facts(
        fact(writer, 'label.number', number),
        fact(writer, 'label.name', params.name),
        fact(writer, 'label.order', orderNumber),
        ...[items, part].flatMap((said) => (said === null ? [] : [fact(writer, 'label.part', said)])),
        fact(writer, 'label.received', writer.moment(params.receivedAtMs)),
      ),
      ...(linkUrl === undefined
        ? []
        : [
            { kind: 'text' as const, text: writer.text('withdrawal_received.objection') },
            button(writer, 'withdrawal_received.button', linkUrl),
          ]),
      link(writer, params.confirmationUrl),
    ]);
  },
  notice_received: ({ writer, seller, params }) => {
    const { number, contractNumber, type, statedReason, endDateMs, linkUrl } = params;
    const end = endDateMs === null ? writer.text('notice_received.earliest') : writer.date(endDateMs);
    return open(writer, 'notice_received', { seller, number }, [
      facts(
        fact(writer, 'label.number', number),
        fact(writer, 'label.kind', writer.text(`notice_received.type.${type}`)),
        ...(statedReason === null ? [] : [fact(writer, 'label.statedReason', statedReason)]),
        fact(writer, 'label.name', params.name),
        fact(writer, 'label.contract', contractNumber),
        fact(writer, 'label.endDate', end),
        fact(writer, 'label.received', writer.moment(params.receivedAtMs)),
      ),
      ...(linkUrl === undefined
        ? []
        : [
            { kind: 'text' as const, text: writer.text('notice_received.keep') },
            button(writer, 'notice_received.button', linkUrl),
          ]),
      link(writer, params.confirmationUrl),
    ]);
  },
  withdrawal_decided: ({ writer, seller, params }) => {
    const { number, orderNumber, isAccepted, reason, note } = params;
    const kind = isAccepted ? 'withdrawal_decided.accepted' : 'withdrawal_decided.refused';
    return {
      subject: writer.text('withdrawal_decided.subject', { seller, number }),
      title: writer.text('withdrawal_decided.title'),
      preview: writer.text(kind, { number }),
      blocks: [
        { kind: 'text', text: writer.text(kind, { number }) },
        ...(reason === null
          ? []
          : [{ kind: 'text' as const, text: writer.text(`withdrawal.reason.${reason}`) }]),
        ...(note === null ? [] : [{ kind: 'text' as const, text: note }]),
        facts(fact(writer, 'label.number', number), fact(writer, 'label.order', orderNumber)),
      ],
    };
  },
  notice_decided: ({ writer, seller, params }) => {
    const { number, contractNumber, isAccepted, note } = params;
    const kind = isAccepted ? 'notice_decided.accepted' : 'notice_decided.refused';
    return {
      subject: writer.text('notice_decided.subject', { seller, number }),
      title: writer.text('notice_decided.title'),
      preview: writer.text(kind, { number }),
      blocks: [
        { kind: 'text', text: writer.text(kind, { number }) },
        ...(note === null ? [] : [{ kind: 'text' as const, text: note }]),
        facts(fact(writer, 'label.number', number), fact(writer, 'label.contract', contractNumber)),
      ],
    };
  },
  withdrawal_waiting: ({ writer, params }) =>
    open(writer, 'withdrawal_waiting', { number: params.number, date: writer.date(params.deadlineMs) }, [
      facts(
        fact(writer, 'label.number', params.number),
        fact(writer, 'label.order', params.orderNumber),
        fact(writer, 'label.received', writer.date(params.receivedAtMs)),
      ),
    ]),
  notice_waiting: ({ writer, params }) =>
    open(writer, 'notice_waiting', { number: params.number, date: writer.date(params.deadlineMs) }, [
      facts(
        fact(writer, 'label.number', params.number),
        fact(writer, 'label.contract', params.contractNumber),
        fact(writer, 'label.received', writer.date(params.receivedAtMs)),
      ),
    ]),
};

type OpenKind = Exclude<StatementKind, 'withdrawal_decided' | 'notice_decided'>;

function open(writer: Writer, kind: OpenKind, values: Record<string, string>, blocks: Block[]): Draft {
  const text = writer.text(`${kind}.text`, values);
  return {
    subject: writer.text(`${kind}.subject`, values),
    title: writer.text(`${kind}.title`),
    preview: text,
    blocks: [{ kind: 'text', text }, ...blocks],
  };
}

function facts(...all: Fact[]): Block {
  return { kind: 'facts', facts: all };
}

type FactLabel =
  | 'label.number'
  | 'label.name'
  | 'label.order'
  | 'label.part'
  | 'label.received'
  | 'label.kind'
  | 'label.statedReason'
  | 'label.contract'
  | 'label.endDate';

function fact(writer: Writer, label: FactLabel, value: string): Fact {
  return { label: writer.text(label), value };
}

function button(
  writer: Writer,
  key: 'withdrawal_received.button' | 'notice_received.button',
  url: string,
): Block {
  return { kind: 'button', label: writer.text(key), url, fallback: writer.text('link.fallback') };
}

function link(writer: Writer, url: string): Block {
  return { kind: 'link', label: writer.text('button.confirmation'), url };
}
