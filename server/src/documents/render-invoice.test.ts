import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectEn16931 } from '../../test/support/expect-en16931.ts';
import { readPdf } from '../../test/support/read-pdf.ts';
import { readXml } from '../../test/support/read-xml.ts';
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { makeLine, makeRate, makeSnapshot } from '../domain/invoicing/values.testing.ts';
import { renderInvoice } from './render-invoice.ts';

const draw = (fields: Partial<Snapshot> = {}) =>
  renderInvoice({ snapshot: makeSnapshot(fields), logo: null });
const read = async (fields: Partial<Snapshot> = {}) => readPdf(await draw(fields));

describe('the document', () => {
  it('is tagged PDF/A-3 and says who, what, when and how much', async () => {
    const pdf = await read();
    expect(pdf).toMatchObject({ pages: 1, title: 'Invoice INV-2026-000001', isTagged: true, pdfA: '3B' });
    for (const part of [
      'Acme GmbH',
      'Hauptstraße 12',
      '10115 Berlin',
      'Germany',
      'VAT number: DE136695976',
      'Ada Lovelace',
      'INV-2026-000001',
      '21 Nov 2026',
      '7K2M9QX4T0AB',
      'VAT 19% (DE) on 49.00',
      '9.31 EUR',
      '58.31 EUR',
      'Visa ending in 4242',
      'Page 1 of 1',
    ]) {
      expect(pdf.text).toContain(part);
    }
    expect(pdf.text).not.toContain('Test mode');
  });

  it('is made of the same bytes each time, whatever was drawn before', async () => {
    const first = await draw();
    await draw({ lines: [makeLine({ name: 'fi ﬁ 東京 شركة' })] });
    expect(Buffer.compare(await draw(), first)).toBe(0);
  });

  it('takes no letter of a document before, where two letters share one shape', async () => {
    const names = [
      'office ffi',
      'oﬃce ﬃ',
      'ΩΩ',
      'ΩΩ',
      'Á',
      'Á',
      'مسك',
      'م',
      'शक्ति',
      'श',
      '한글',
      '한',
      'กำ',
      'ก ำ',
    ];
    const each = async (name: string) => {
      const bytes = await draw({ lines: [makeLine({ name })] });
      return [name, createHash('sha256').update(bytes).digest('hex')] as const;
    };
    const there = new Map<string, string>();
    for (const name of names) there.set(...(await each(name)));
    const back = new Map<string, string>();
    for (const name of names.toReversed()) back.set(...(await each(name)));
    for (const [name, hash] of there) expect([name, back.get(name)]).toEqual([name, hash]);
  });

  it('shows names in any script, and markup as text', async () => {
    const names = [
      'Zażółć gęślą jaźń',
      'Ελληνικό προϊόν',
      'Русский «Ключ»',
      '日本語の商品',
      'ภาษาไทย',
      '한국어 상품',
      '简体中文们',
      'שלום',
      'شركة',
      'ქართული პროდუქტი',
      'Հայկական ապրանք',
      'የኢትዮጵያ ምርት',
      'ສິນຄ້າລາວ',
      '<script>alert(1)</script>',
    ];
    const { text } = await read({ lines: names.map((name) => makeLine({ name })) });
    for (const name of names) expect(text).toContain(name);
  });

  it('puts right-to-left words where they are read, with what is written the other way among them', async () => {
    const { text } = await read({ lines: [makeLine({ name: 'لعبة السديم Nebula (2024)' })] });
    expect(text.indexOf('Nebula')).toBeLessThan(text.indexOf('(2024)'));
    expect(text.indexOf('(2024)')).toBeLessThan(text.indexOf('السديم'));
    expect(text.indexOf('السديم')).toBeLessThan(text.indexOf('لعبة'));
  });

  // Their letters change places as they are drawn, so that a reader does not find them in the order of the text.
  it.each([
    'বাংলা পণ্য',
    'தமிழ் பொருள்',
    'తెలుగు ఉత్పత్తి',
    'ગુજરાતી ઉત્પાદન',
    'ਪੰਜਾਬੀ ਉਤਪਾਦ',
    'ಕನ್ನಡ ಉತ್ಪನ್ನ',
    'മലയാളം ഉൽപ്പന്നം',
    'සිංහල නිෂ්පාදන',
    'ផលិតផលខ្មែរ',
    'မြန်မာ ထုတ်ကုန်',
  ])('has a font with each letter of %s', async (name) => {
    const { text } = await read({ lines: [makeLine({ name })] });
    expect(text).not.toContain('\ufffd');
    expect(text).toContain(name[0]);
  });

  it('shows a sign for a letter that no font has', async () => {
    const { text } = await read({ lines: [makeLine({ name: 'Game \u0f40' })] });
    expect(text).toContain('Game \ufffd');
  });

  it.each([
    ['Game 🎮 Pass', 'Game Pass'],
    ['👩🏽‍🚀 Crew 🇩🇪', 'Crew'],
    ['Acme™ ©', 'Acme™ ©'],
  ])('leaves out a picture that no font has, of %s', async (name, shown) => {
    const { text } = await read({ lines: [makeLine({ name })] });
    expect(text).toContain(shown);
    expect(text).not.toContain('\ufffd');
  });

  it('says of a unit price that tax is in it where there is any', async () => {
    const note = 'Unit price includes tax';
    expect((await read({ lines: [makeLine({ inclusive: true })] })).text).toContain(note);
    const rates = [makeRate({ country: 'FR', percentage: 0, amount: 0, reason: 'reverse_charge' })];
    const lines = [makeLine({ inclusive: true, rates, tax: 0, total: 4900 })];
    expect((await read({ lines })).text).not.toContain(note);
  });

  it.each([
    ['🎮', 'U+1F3AE'],
    ['👩🏽‍🚀 – ❤️', 'U+1F469 U+1F680 – U+2764'],
    ['🇩🇪', 'DE'],
    ['Teil ①', 'Teil 1'],
  ])('prints a plain form of %s, which no font has', async (name, shown) => {
    const { text } = await read({ lines: [makeLine({ name })] });
    expect(text).toContain(shown);
    expect(text).not.toContain('\ufffd');
  });

  it.each([
    ['JPY', 1_234_567, '1,234,567 JPY'],
    ['BHD', 1_234_567, '1,234.567 BHD'],
    ['HUF', 1_234_567, '12,345.67 HUF'],
    ['BHD', 5, '0.005 BHD'],
  ])('writes an amount of %s with its decimals', async (currency, total, shown) => {
    const { text } = await read({ currency, total });
    expect(text).toContain(shown);
  });

  it('says by what it was paid in the language of the document', async () => {
    const method = { type: 'bank_transfer', brand: null, last4: null };
    expect((await read({ method, language: 'de' })).text).toContain('mit Überweisung');
    expect((await read({ method: { ...method, type: 'ideal' } })).text).toContain('by iDEAL');
    const note = await read({ method, kind: 'credit_note', creditReason: 'other' });
    expect(note.text).toContain('given back on 21 Nov 2026. Reason');
  });

  it('says why nothing was taxed', async () => {
    const rates = [makeRate({ country: 'FR', percentage: 0, amount: 0, reason: 'reverse_charge' })];
    const sentence =
      'Reverse charge: VAT to be accounted for by the recipient (Article 196, Directive 2006/112/EC).';
    const { text } = await read({ taxes: rates, sentences: [sentence] });
    expect(text).toContain(sentence);
    expect(text).toContain('VAT 0% (FR) · reverse charge on 49.00');
  });

  it('shows each of two taxes on a line', async () => {
    const rates = [
      makeRate({ name: 'GST', country: 'CA', percentage: 5, amount: 245 }),
      makeRate({ name: 'QST', country: 'CA', region: 'QC', percentage: 9.975, amount: 489 }),
    ];
    const { text } = await read({ lines: [makeLine({ rates })], taxes: rates, currency: 'CAD' });
    expect(text).toContain('5% +\n9.975%');
    expect(text).toContain('QST 9.975% (CA-QC) on 49.00');
  });

  it('of a refund says which invoice it belongs to', async () => {
    const { text, title } = await read({
      kind: 'credit_note',
      number: 'CN-2026-000001',
      refersTo: { number: 'INV-2026-000001', finalisedAt: Date.UTC(2026, 9, 1) },
      creditReason: 'requested_by_customer',
    });
    expect(title).toBe('Credit note CN-2026-000001');
    expect(text).toContain('INV-2026-000001 of 1 Oct 2026');
    expect(text).toContain('Total credited');
    expect(text).toContain(
      '58.31 EUR given back on 21 Nov 2026 to Visa ending in 4242. Reason: requested by the',
    );
  });

  it('goes on over pages with the headings of its columns, and counts them', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => makeLine({ name: `Item ${index + 1}` }));
    const { pages, text } = await read({ lines });
    expect(pages).toBeGreaterThan(1);
    expect(text.match(/Description/g)).toHaveLength(pages);
    expect(text).toContain(`Page ${pages} of ${pages}`);
    expect(text).toContain('Item 60');
  });

  // About as many as a page holds, and as two hold.
  it.each([17, 18, 19, 20, 21, 22, 23, 47, 48, 49, 50, 51, 52, 53])(
    'of %i lines keeps two of them with the sum and what is said below it',
    async (count) => {
      const lines = Array.from({ length: count }, (_, index) => makeLine({ name: `Item ${index + 1}.` }));
      const { pages, text } = await read({ lines, discountName: 'Spring', footer: 'Thank you.' });
      expect(text.match(/Description/g)).toHaveLength(pages);
      const last = text.slice(text.lastIndexOf('Description'));
      for (const part of [`Item ${count - 1}.`, `Item ${count}.`, 'Total', 'Paid on', 'Spring', 'Thank you.'])
        expect(last).toContain(part);
    },
  );

  it('has a column of discounts where a line has one', async () => {
    const lines = [makeLine({ name: 'Nebula' }), makeLine({ name: 'Soundtrack' })];
    expect((await read({ lines })).text).not.toContain('Discount');
    expect((await read({ kind: 'credit_note', lines })).text).not.toContain('Discount');
    const reduced = [...lines, makeLine({ name: 'Artbook', discount: 500 })];
    expect((await read({ lines: reduced })).text).toContain('Discount');
  });

  it.each([
    ['IDR', 1_500_000_000, '15,000,000.00'],
    ['BHD', 1_234_567_890, '1,234,567.890'],
    ['JPY', 1_234_567_890, '1,234,567,890'],
  ])('writes an amount of many digits of %s in one piece', async (currency, total, shown) => {
    const amounts = { unitPrice: total, net: total, tax: 0, total };
    const { text } = await read({ currency, lines: [makeLine(amounts)], net: total, tax: 0, total });
    expect(text.split(shown)).toHaveLength(6);
  });

  it('holds the e-invoice, and says so in the words of Factur-X', async () => {
    const { attachments, facturX } = await read();
    expect(Object.keys(attachments)).toEqual(['factur-x.xml']);
    const { root } = expectEn16931(attachments['factur-x.xml'] ?? '');
    expect(JSON.stringify(root)).toContain('INV-2026-000001');
    expect(facturX).toBe('INVOICE factur-x.xml 1.0 EN 16931');
  });

  it('without what an e-invoice must say is a PDF alone', async () => {
    const { seller } = makeSnapshot();
    const { attachments, facturX } = await read({ seller: { ...seller, country: null } });
    expect([attachments, facturX]).toEqual([{}, '']);
  });

  it('keeps a name with signs of markup in its metadata', async () => {
    const { seller } = makeSnapshot();
    const bytes = await draw({ seller: { ...seller, name: 'Müller & <Söhne>' } });
    const xmp = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(Buffer.from(bytes).toString('utf8'))?.[0] ?? '';
    const { pdfA } = await readPdf(bytes);
    expect(pdfA).toBe('3B');
    expect(JSON.stringify(readXml(xmp))).toContain('Müller & <Söhne>');
  });

  it('of test mode says that it is no tax document', async () => {
    expect((await read({ testMode: true })).text).toContain('Test mode: no money moved, no tax document');
  });
});
