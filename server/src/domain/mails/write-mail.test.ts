import { describe, expect, it } from 'vitest';
import { writeProrationName } from '../billing/proration-name.ts';
import { LANGUAGES, type Language } from '../languages.ts';
import { keepLetter, makeTexts } from './kept-letter.ts';
import { MAIL_KINDS, type MailKind } from './kinds.ts';
import { fillText } from './texts.ts';
import { SAMPLE_SALE, sampleOf } from './values.testing.ts';
import { type MailSource, writeLetter } from './write-mail.ts';
import { createWriter } from './writer.ts';

const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

/** As it is read once it was kept. */
function writeMail(source: MailSource) {
  const letter = writeLetter(source);
  return { subject: letter.subject, ...makeTexts(keepLetter(letter)) };
}

describe('every kind of mail', () => {
  const all = MAIL_KINDS.flatMap((kind) => LANGUAGES.map((language) => ({ kind, language })));

  it.each(all)('S48 $kind in $language fills every placeholder and says the same in both twins', (given) => {
    const { subject, html, plain } = writeMail(sampleOf(given.kind, given.language));
    const title = /<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1] ?? '';
    expect(plain).toContain(title);
    expect(subject).not.toBe('');
    for (const text of [subject, plain, html.replace(/<style>[^<]*<\/style>/, '')]) {
      expect(text).not.toMatch(/\{\w*\}|undefined|\bnull\b|NaN/);
    }
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
    for (const href of addresses) expect(plain).toContain(href);
  });

  it('sets the colons of its plain text as French does, and breaks no amount', () => {
    const { plain } = writeMail(sampleOf('receipt', 'fr'));
    expect(plain).toContain('\nTotal\u202f: 83,46\u00a0€\n');
    expect(plain).toContain('\nOuvrir la facture\u202f:\nhttps://');
  });

  it('names the product of several keys without a second colon in the line', () => {
    const items = ['Rocket', 'Shuttle'].flatMap((name) =>
      SAMPLE_SALE.items.slice(0, 1).map((item) => ({ ...item, name, keys: [`${name}-1`] })),
    );
    const { plain } = writeMail(sampleOf('receipt', 'en', { items }));
    expect(plain).toContain('Your key (Rocket):\n  Rocket-1');
    expect(plain).toContain('Your key (Shuttle):\n  Shuttle-1');
  });

  it.each(MAIL_KINDS)('%s asks for one thing: what else it leads to is no second button', (kind) => {
    const { html } = writeMail(sampleOf(kind, 'en'));
    expect(html.split('class="button"').length - 1).toBeLessThanOrEqual(1);
  });

  it.each(all)('$kind in $language loads nothing and shows what was typed as text', ({ kind, language }) => {
    const evil = '<script>alert(1)</script><img src="https://evil.example/x">';
    const sample = sampleOf(kind, language, {
      items: SAMPLE_SALE.items.map((item) => ({ ...item, name: evil, note: evil, keys: [evil] })),
      method: { type: 'card', brand: evil, last4: evil },
      orderNumber: evil,
      payUrl: 'javascript:alert(1)',
    });
    // Words of a list of ours, which the texts are named by.
    const ours = ['currency', 'step', ...(/^(withdrawal|notice)_/.test(kind) ? ['type', 'reason'] : [])];
    const params = Object.fromEntries(
      Object.entries(sample.params).map(([key, value]) => [
        key,
        typeof value === 'string' && !ours.includes(key) ? evil : value,
      ]),
    );
    const { html, subject } = writeMail({
      ...sample,
      params,
      sender: {
        ...{ name: evil, email: evil, address: [evil] },
        look: { ...sample.sender.look, termsUrl: 'javascript:alert(1)' },
      },
    });
    expect(html).not.toMatch(/<(script|img|iframe|object|form|link)\b|url\(|href="(?!https?:|#)/i);
    expect(html).toContain('&lt;script&gt;');
    expect(subject).not.toMatch(/[\r\n]/);
  });
});

it('calls no member of the team an owner, and asks for nothing by keys that the dashboard has a button for', () => {
  const { plain } = writeMail(sampleOf('processor_event_parked', 'en'));
  expect(plain).toContain('as a member of the team of Nebula Works');
  expect(plain).toContain('Have it read once more in the dashboard.');
});

describe('a sale', () => {
  const receipt = (changes: Parameters<typeof sampleOf>[2], language = 'en') =>
    spaced(writeMail(sampleOf('receipt', language, changes)).plain);

  it('shows its lines, tax, total, keys, method, numbers and links', () => {
    const plain = receipt({});
    for (const part of [
      '- Nebula: The Long Way Home × 2 (Deluxe edition): €49.00',
      '- Soundtrack: €24.99\nSubtotal: €73.99\nDiscount: -€3.86\nVAT 19%: €13.33\nTotal: €83.46',
      'NEBU-4K2P-99XA-QQ71',
      'Visa ending in 4242',
      'INV-2026-000042',
      'https://pay.example.com/invoices/v5l2kq.pdf',
      'March 31, 2026',
    ]) {
      expect(plain).toContain(part);
    }
  });

  it.each([
    ['card', 'jcb', '0505', 'en', 'Paid with: JCB ending in 0505'],
    ['card', null, null, 'en', 'Paid with: Card'],
    ['paypal', null, null, 'en', 'Paid with: PayPal'],
    ['bank_transfer', null, null, 'de', 'Bezahlt mit: Überweisung'],
    ['bank_transfer', null, null, 'ja', '銀行振込'],
  ])('says by what it was paid: %s %s %s in %s', (type, brand, last4, language, line) => {
    expect(receipt({ method: { type, brand, last4 } }, language)).toContain(line);
  });

  it('names the tax within its prices after the total, by the word of the language', () => {
    const breakdown = { ...SAMPLE_SALE.breakdown, inclusive: true, subtotal: 8346, discount: 0 };
    expect(receipt({ breakdown }, 'de')).toContain('Gesamt: 83,46 €\nEnthält USt. 19 %: 13,33 €');
  });

  it('S48 says the lines of a change of plan in the language', () => {
    const named = { title: 'Club Pro', startDay: '2026-03-01', endDay: '2026-04-01' };
    const names = (['unused', 'remaining'] as const).map((part) =>
      writeProrationName({ ...named, part, other: part === 'unused' ? 'Club' : null }),
    );
    const items = SAMPLE_SALE.items.map((item, at) => ({
      ...item,
      ...{ name: names[at] ?? '', quantity: 1, keys: [], subtotalMinor: 2499, note: null },
    }));
    // The dash between two days stands in thin spaces.
    const plain = receipt({ items }, 'de').replaceAll('\u2009', ' ');
    expect(plain).toContain(
      '- Nicht genutzte Zeit von Club Pro, 01.03. – 01.04.2026 (gewechselt zu Club): 24,99 €',
    );
    expect(plain).toContain('- Verbleibende Zeit von Club Pro, 01.03. – 01.04.2026 (hinzugefügt): 24,99 €');
  });

  it('that came to less than its lines is told by its total', () => {
    const plain = receipt({ totalMinor: 5000 });
    expect(plain).toContain('(Deluxe edition): €58.31');
    expect(plain).toContain('Total: €50.00\nof which tax: €13.33');
    expect(plain).not.toContain('Subtotal');
  });

  it('says why there is no tax where the buyer accounts for it', () => {
    const items = SAMPLE_SALE.items.map((item) => ({ ...item, taxReason: 'reverse_charge' }));
    const breakdown = { ...SAMPLE_SALE.breakdown, subtotal: 8346, discount: 0, taxLines: [] };
    const plain = receipt({ items, taxMinor: 0, breakdown });
    expect(plain).toContain('Reverse charge');
    expect(plain).not.toMatch(/VAT|Subtotal|of which tax/);
  });

  it('says that a key is still to come', () => {
    const items = SAMPLE_SALE.items.map((item) => ({ ...item, keys: [], awaitsStock: true }));
    expect(receipt({ items })).toContain('The key follows by mail');
  });

  it('takes a line break in a name for a space, so that no name looks like a line of ours', () => {
    const items = SAMPLE_SALE.items.map((item) => ({ ...item, name: 'Nebula\r\nTotal: €0.00' }));
    expect(receipt({ items })).toContain('- Nebula Total: €0.00');
  });

  it.each([
    ['past_due', 'subscription_interval', 'Please check your card'],
    ['unpaid', 'subscription_interval', 'Your access is off'],
    ['active', 'subscription_update', 'Your plan stays as it was: the change was not made.'],
  ])('that failed says what follows (%s, %s)', (status, paymentType, sentence) => {
    const { subscription } = SAMPLE_SALE;
    const changed = subscription && { ...subscription, status };
    const { plain } = writeMail(sampleOf('payment_failed', 'en', { subscription: changed, paymentType }));
    expect(plain).toContain(sentence);
    expect(plain).toContain('https://pay.example.com/pay/q8s7d6f5');
  });

  const failed = (changes: Parameters<typeof sampleOf>[2]) =>
    spaced(
      writeMail(sampleOf('payment_failed', 'en', { paymentType: 'subscription_interval', ...changes })).plain,
    );

  it('that failed says what for, why, and when it is tried again', () => {
    const period = { startMs: Date.UTC(2026, 2, 31), endMs: Date.UTC(2026, 3, 30) };
    const plain = failed({ period });
    for (const part of [
      '- Soundtrack: €24.99',
      'Total: €83.46',
      'Period: Mar 31 – Apr 30, 2026',
      'Reason: The card has insufficient funds.',
      'We try again on April 2, 2026.',
    ]) {
      expect(plain).toContain(part);
    }
  });

  it('that failed days later says until when an order can be paid in another way', () => {
    const plain = failed({ paymentType: 'one_time' });
    expect(plain).toContain('for your order K7QW2M9XTR4B');
    expect(plain).toContain('Your order waits for it until April 1, 2026.');
    expect(plain).not.toMatch(/your subscription|We try again/);
    const extra = failed({ paymentType: 'subscription_extra' });
    expect(extra).toContain('You can pay in another way.');
    expect(extra).not.toMatch(/waits|We try again/);
  });

  it('that failed says nothing of a lost card but that it was declined, and of an unknown reason nothing', () => {
    expect(failed({ declineReason: 'lost_card' })).toContain('Reason: The card was declined.');
    expect(failed({ declineReason: 'processing_error', retryAtMs: null })).not.toMatch(/Reason|try again/);
  });

  it('that was renewed names the next payment, unless its day is over', () => {
    const renewed = (changes: Parameters<typeof sampleOf>[2]) =>
      writeMail(sampleOf('subscription_renewed', 'en', changes)).plain;
    expect(renewed({})).toContain('The next payment is on April 30, 2026.');
    const { subscription, atMs } = SAMPLE_SALE;
    const owing = subscription && { ...subscription, intervalEndMs: atMs };
    expect(renewed({ subscription: owing })).not.toContain('next payment');
  });

  it('on trial names what is taken when the trial ends, with its tax', () => {
    const started = (changes: Parameters<typeof sampleOf>[2], language = 'en') =>
      spaced(writeMail(sampleOf('trial_started', language, changes)).plain);
    for (const part of [
      '€21.42 is charged then',
      'Amount: €21.42',
      'of which tax: €3.42',
      'April 14, 2026',
    ]) {
      expect(started({})).toContain(part);
    }
    expect(started({}, 'de')).toContain('Dann werden 21,42 € abgebucht');
    const unknown = started({ nextPayment: null });
    expect(unknown).toContain('The first payment is taken then');
    expect(unknown).not.toContain('Amount');
  });

  it('with a name of one long word is no wider than the screen', () => {
    const { html } = writeMail(sampleOf('receipt', 'en'));
    expect(html).toMatch(/class="sheet pad" style="[^"]*overflow-wrap:anywhere/);
  });

  it('in test mode says so in its subject and above the letter', () => {
    const { subject, html } = writeMail({ ...sampleOf('receipt', 'de'), isTest: true });
    expect(subject).toMatch(/^\[Test\] /);
    expect(html).toContain('Es wurde kein Geld bewegt');
  });
});

const TO_OWNERS =
  /^(webhook_|portal_guarded|low_stock|awaiting_stock|dispute_|early_fraud_|charge_held|processor_|inactivity_)|_waiting$/;

describe('the look of a shop', () => {
  const look = {
    ...sampleOf('receipt', 'en').sender.look,
    logo: 'https://pay.example.com/files/0195a0b1-0000-7000-8000-000000000001',
    accent: '#7a1f5c',
  };
  const written = (kind: MailKind) => {
    const sample = sampleOf(kind, 'en');
    return writeMail({ ...sample, sender: { ...sample.sender, look } });
  };

  it('is its logo, which its name stands in for, and its colour on the button', () => {
    const { html, plain } = written('receipt');
    expect(html).toContain(`<img src="${look.logo}" alt="Nebula Works"`);
    // A wide one keeps its shape: neither side is held, both have a maximum.
    expect(html).toContain('height:auto;max-height:40px;width:auto;max-width:240px');
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(html).toContain(
      'class="button" href="https://pay.example.com/checkout/0195/checkout/0196" style="display:inline-block;background:#7a1f5c;color:#ffffff',
    );
    expect(html).not.toMatch(/#14603f|\.button\{/);
    expect(plain).toContain('Nebula Works');
  });

  it('leads to its terms, privacy and imprint from every mail to a buyer, and from none to its own people', () => {
    for (const kind of MAIL_KINDS.filter((one) => one !== 'team_invitation')) {
      const { html, plain } = written(kind);
      const pages = ['terms', 'privacy', 'imprint'].filter((page) =>
        plain.includes(`https://nebula.example/${page}`),
      );
      const isToBuyer = !TO_OWNERS.test(kind);
      expect([kind, pages.length, html.includes('<img')]).toEqual([kind, isToBuyer ? 3 : 0, isToBuyer]);
    }
  });
});

describe('a mail to a shop’s own people', () => {
  const written = (kind: MailKind) => writeMail(sampleOf(kind, 'en'));

  it('leads to what it is about in the dashboard, and none to a buyer does', () => {
    for (const kind of MAIL_KINDS) {
      const { plain } = written(kind);
      const isToOwner = TO_OWNERS.test(kind) && kind !== 'team_invitation';
      expect([kind, plain.includes('/dashboard/0195/live')]).toEqual([kind, isToOwner]);
    }
    expect(written('dispute_opened').plain).toMatch(
      /Open the order:\nhttps:.*\/dashboard\/0195\/live\/orders\/\w+/,
    );
    expect(written('webhook_failing').plain).toContain('/dashboard/0195/live/developers/webhooks');
  });

  it('says in its own language why a webhook failed', () => {
    const say = (language: Language, facts: Record<string, unknown>) => {
      const sample = sampleOf('webhook_failing', language);
      const reason = /^(?:Letzter Fehler|Last error): (.*)$/m;
      return reason.exec(writeMail({ ...sample, params: { ...sample.params, ...facts } }).plain)?.[1];
    };
    const answered = { reason: 'the receiver answered 503', failure: null, statusCode: 503 };
    expect(say('de', answered)).toBe('Der Empfänger antwortete mit Status 503');
    expect(say('en', answered)).toBe('the receiver answered 503');
    const refused = { reason: 'connection refused', failure: 'connection', statusCode: null };
    expect(say('de', refused)).toBe('Keine Verbindung (connection refused)');
    // As it was asked for by a version before.
    expect(say('de', { reason: 'connection refused' })).toBe('connection refused');
  });

  it('says in words why a refund failed and of which kind a processor is, and names no charge by its id', () => {
    const german = (kind: MailKind) => writeMail(sampleOf(kind, 'de')).plain;
    expect(german('processor_refund_failed')).toContain('Ihr Konto beim Zahlungsdienst ist nicht gedeckt');
    expect(german('processor_changed')).toContain('Zahlungsdienst: Bank (Überweisung)');
    expect(german('processor_broken')).toMatch(/^Zahlungsdienst: Stripe$/m);
    expect(german('charge_held')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it('says in words why a bank disputes', () => {
    const say = (reason: string, language: Language) => {
      const sample = sampleOf('dispute_opened', language);
      return writeMail({ ...sample, params: { ...sample.params, reason } }).plain;
    };
    expect(say('fraudulent', 'de')).toContain('Grund: Wer die Karte hat, will das nicht bezahlt haben');
    expect(say('bank_cannot_process', 'en')).toContain('Reason: bank cannot process');
  });
});

describe('a mail that asks for something to be done', () => {
  it.each(['trial_ending', 'renewal_reminder', 'card_expiring'] as const)(
    '%s has one button, to the subscription',
    (kind) => {
      const sample = sampleOf(kind, 'en');
      const { html } = writeMail({ ...sample, recipient: 'ada@example.com' });
      const target = `${sample.legal.portal}/subscriptions/K7QW2M9XTR4B#email=ada%40example.com`;
      expect(html.match(/class="button"/g)).toHaveLength(1);
      expect(html).toContain(`class="button" href="${target}"`);
      expect(html.split(`href="${target}"`)).toHaveLength(2);
    },
  );
});

describe('the size of a mail', () => {
  const bytes = (html: string) => Buffer.byteLength(html);

  it('S50 is at most 60 kB of HTML in every kind and language, of twenty things with ten keys each, of a hundred without', () => {
    const [game] = SAMPLE_SALE.items;
    const keys = Array.from({ length: 10 }, (_, index) => `NEBU-4K2P-99XA-QQ71-${index}`);
    const items = Array.from({ length: 20 }, () => ({ ...game, keys }) as (typeof SAMPLE_SALE.items)[number]);
    const many = Array.from({ length: 5 }, () => items.map((item) => ({ ...item, keys: [] }))).flat();
    const all = MAIL_KINDS.flatMap((kind) =>
      LANGUAGES.flatMap((language) =>
        [{}, { items }, { items: many }].map((changes) =>
          bytes(writeMail(sampleOf(kind, language, changes)).html),
        ),
      ),
    );
    expect(Math.max(...all)).toBeLessThan(60_000);
  });

  it.each(MAIL_KINDS)('%s is kept in less than a third of its HTML', (kind) => {
    const letter = keepLetter(writeLetter(sampleOf(kind, 'en')));
    expect(bytes(letter)).toBeLessThan(bytes(makeTexts(letter).html) / 3);
  });
});

describe('amounts', () => {
  it.each([
    [123456, 'JPY', 'en', '¥123,456'],
    [1234567, 'KWD', 'en', 'KWD 1,234.567'],
    [5, 'EUR', 'de', '0,05 €'],
    [-1050, 'EUR', 'de', '-10,50 €'],
    [1050, 'HUF', 'en', 'HUF 10.50'],
    [Number.MAX_SAFE_INTEGER, 'USD', 'en', '$90,071,992,547,409.91'],
  ])('%s minor units of %s in %s are %s', (minor, currency, language, text) => {
    expect(spaced(createWriter(language).money(minor, currency))).toBe(text);
  });
});

describe('languages', () => {
  it('that mails are not written in become English', () => {
    expect(writeMail(sampleOf('receipt', 'sv'))).toEqual(writeMail(sampleOf('receipt', 'en')));
  });
});

it('a name turns neither the date nor the amount behind it', () => {
  const values = { product: 'Che\u202ess', seller: '\u2067Nebula', date: 'May 1', amount: '$19.00' };
  const text = fillText('en', 'trial_ending.text', values);
  expect(text).toContain('Chess at Nebula ends on May 1. Then $19.00');
});
