import { mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkLine, findMetaIssue } from '../../server/src/resources/imports/import-lines.schema.ts';
import { CONVERTERS } from '../src/import/convert-to-file.ts';
import { readCsv } from '../src/import/csv.ts';
import { readRow } from '../src/import/gumroad/rows.ts';
import { openSource } from '../src/import/source.ts';
import { createStays } from '../src/import/stays.ts';
import { addIntervals, toMinor, toMs, toPercent } from '../src/import/values.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines of every kind are compared with what is expected
type Lines = any[];

const FIXTURES = fileURLToPath(new URL('fixtures/import', import.meta.url));
const folderOf = (name: string) => resolve(FIXTURES, name);
const NOW_MS = Date.UTC(2027, 0, 1);

async function convert(source: string, folder = source) {
  const converter = CONVERTERS[source];
  if (!converter) throw new Error(`no converter is called ${source}`);
  const stays = createStays();
  const lines: Lines = [];
  for await (const line of converter.convert(await openSource(folderOf(folder), converter), {
    stays,
    nowMs: NOW_MS,
  }))
    lines.push(JSON.parse(JSON.stringify(line)));
  const [meta, ...others] = lines;
  const counts: Record<string, number> = {};
  for (const { kind } of others) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    meta,
    lines: others,
    counts,
    stays: Object.fromEntries(stays.list().map(({ code, refs }) => [code, refs])),
    find: (kind: string, ref: string) => others.find((line) => line.kind === kind && line.ref === ref),
    refs: (kind: string) => others.flatMap((line) => (line.kind === kind ? line.ref : [])),
  };
}

const CASES = [
  ['stripe', 'stripe'],
  ['stripe', 'stripe-tables'],
  ['paddle', 'paddle'],
  ['lemonsqueezy', 'lemonsqueezy'],
  ['gumroad', 'gumroad'],
] as const;

describe('every converter', () => {
  it.each(CASES)(
    'X41 %s (%s) writes lines that the service takes, and names only what it writes',
    async (source, folder) => {
      const { meta, lines } = await convert(source, folder);
      expect([meta.source, findMetaIssue(meta)]).toEqual([source, null]);
      expect(lines.map(checkLine).filter(({ isFine }) => !isFine)).toEqual([]);
      const told = new Set(lines.map(({ kind, ref }) => `${kind} ${ref}`));
      expect(told.size).toBe(lines.length);
      const named = lines.flatMap((line) => [
        ...Object.entries(line).flatMap(([field, ref]) => {
          const kind = /^(product|variant|offer|customer|purchase|discount|paymentMethod)Ref$/.exec(
            field,
          )?.[1];
          return kind && ref !== null ? [`${kind.replace('paymentMethod', 'payment_method')} ${ref}`] : [];
        }),
        ...(line.items ?? []).map(({ offerRef }: { offerRef: string }) => `offer ${offerRef}`),
      ]);
      expect(named.filter((one) => !told.has(one))).toEqual([]);
    },
  );
});

describe('stripe', () => {
  it('X41 counts, catalogue, and what stays there', async () => {
    const { meta, counts, stays, find } = await convert('stripe');
    expect(meta).toMatchObject({ account: 'acct_1Nebula', currency: 'USD' });
    expect(counts).toEqual({
      ...{ product: 3, offer: 4, discount: 3, customer: 2, payment_method: 2, subscription: 4 },
    });
    expect(stays).toEqual({
      tiered_price: ['price_tiers', 'sub_tiers'],
      metered_price: ['price_meter', 'sub_meter'],
      discount_limited: ['promo_first'],
      // There is a plan of a year beside those of a month.
      discount_months: ['promo_half'],
      no_email: ['cus_none', 'sub_none'],
      send_invoice: ['sub_sent'],
      paused_collection: ['sub_paused'],
      ended: ['sub_over'],
      source_card: ['sub_due'],
      open_dispute: ['ch_1'],
    });
    expect(find('product', 'prod_club')).toMatchObject({ type: 'Subscription', name: 'Club' });
    expect(find('offer', 'price_gift')).toMatchObject({ productRef: 'prod_club:once', price: 2500 });
    expect(find('offer', 'price_art')).toMatchObject({ active: false, taxBehavior: 'inclusive' });
    expect(find('offer', 'price_year')).toMatchObject({
      interval: { unit: 'year', count: 1 },
      currency: 'USD',
    });
    expect(find('discount', 'promo_half')).toMatchObject({
      code: 'HALFPRICE',
      amount: 50,
      durationIntervals: 6,
    });
  });

  it('X41 customers with tax ids, methods by their ids, anchors, prices and what is paid', async () => {
    const { find } = await convert('stripe');
    expect(find('customer', 'cus_ann')).toMatchObject({
      ...{ language: 'de-CH', createdAt: Date.UTC(2023, 0, 31, 10) },
      billingDetails: {
        ...{ type: 'company', companyName: 'Ann Ltd', countryCode: 'CH', postalCode: '8002' },
        ...{ taxIdType: 'ch_vat', taxNumber: 'CHE-123.456.788 MWST' },
      },
    });
    // Where the card's holder lives.
    expect(find('customer', 'cus_bob').billingDetails).toMatchObject({ countryCode: 'CH' });
    expect(find('payment_method', 'pm_ann')).toMatchObject({
      ...{ processorCustomer: 'cus_ann', processorMethod: 'pm_ann', isDefault: true, last4: '4242' },
    });
    expect(find('subscription', 'sub_ann')).toMatchObject({
      items: [{ offerRef: 'price_month', quantity: 3, unitPrice: 1200 }],
      ...{ anchorAt: Date.UTC(2023, 0, 31, 10), paidUntil: Date.UTC(2031, 0, 31, 10) },
      // 31 January and 28 February lie before its end.
      ...{ discountRef: 'half', discountIntervalsLeft: 2, nextTotal: 1800, taxBehavior: 'inclusive' },
      ...{ paymentMethodRef: 'pm_ann', paidForPeriod: { value: 1800, tax: 0 } },
    });
    expect(find('subscription', 'sub_bob')).toMatchObject({
      ...{ status: 'trialing', cancelAtIntervalEnd: true, paymentMethodRef: 'pm_bob', paidForPeriod: null },
      paidUntil: Date.UTC(2031, 1, 28, 10),
    });
    expect(find('subscription', 'sub_rate')).toMatchObject({ taxBehavior: 'exclusive', nextTotal: 1297 });
    // The service refuses it by name.
    expect(find('subscription', 'sub_due').status).toBe('past_due');
  });

  it("X41 the dashboard's tables", async () => {
    const { counts, stays, find } = await convert('stripe', 'stripe-tables');
    expect(counts).toEqual({ product: 1, offer: 1, customer: 1, subscription: 1 });
    expect(stays).toEqual({ card: ['sub_csv1'], ended: ['sub_csv2'], discount_unknown: ['sub_csv3'] });
    expect(find('customer', 'cus_csv1')).toMatchObject({
      name: 'Eve "E." Ng',
      billingDetails: { countryCode: 'CH' },
    });
    expect(find('subscription', 'sub_csv1')).toMatchObject({
      items: [{ offerRef: 'price_csv', quantity: 2, unitPrice: 1950 }],
      ...{ anchorAt: Date.UTC(2023, 0, 31, 10), paidUntil: Date.UTC(2031, 0, 31, 10) },
      ...{ taxBehavior: 'exclusive', nextTotal: 4216 },
    });
  });
});

describe('paddle', () => {
  it('X41 counts, anchors, prices, cards that were transferred, and what stays there', async () => {
    const { counts, stays, find } = await convert('paddle');
    expect(counts).toEqual({
      ...{ product: 2, offer: 3, discount: 2, customer: 2, payment_method: 1, subscription: 3 },
    });
    expect(stays).toEqual({
      ...{ discount_limited: ['dsc_few'], card_without_method: ['ctm_lee'], card: ['sub_lee'] },
      ...{ paused_collection: ['sub_hold'], send_invoice: ['sub_bill'], ended: ['sub_gone'] },
    });
    expect(find('customer', 'ctm_kim').billingDetails).toMatchObject({
      ...{ type: 'company', companyName: 'Kim SA', taxNumber: 'CHE-987.654.321 TVA', countryCode: 'CH' },
    });
    expect(find('offer', 'pri_once')).toMatchObject({ productRef: 'pro_tool:once', active: false });
    expect(find('discount', 'dsc_ten')).toMatchObject({ code: 'PADTEN', amount: 10, duration: 'forever' });
    expect(find('subscription', 'sub_kim')).toMatchObject({
      items: [{ offerRef: 'pri_month', quantity: 2, unitPrice: 900 }],
      ...{ anchorAt: Date.UTC(2023, 2, 15, 8), paidUntil: Date.UTC(2031, 0, 15, 8), nextTotal: 1800 },
      ...{ taxBehavior: 'inclusive', paymentMethodRef: 'pm_kim', paidForPeriod: { value: 1800, tax: 135 } },
    });
    expect(find('subscription', 'sub_lee')).toMatchObject({
      ...{ cancelAtIntervalEnd: true, taxBehavior: 'exclusive', nextTotal: null },
      paidUntil: Date.UTC(2031, 0, 15, 8),
    });
  });
});

describe('lemonsqueezy', () => {
  it('X41 counts, keys with their state, purchases, anchors, prices, and what stays there', async () => {
    const { meta, counts, stays, find } = await convert('lemonsqueezy');
    expect(meta).toMatchObject({ account: '7', currency: 'USD' });
    expect(counts).toEqual({
      ...{ product: 2, variant: 1, offer: 2, discount: 1, customer: 2, purchase: 1, key: 1, subscription: 2 },
    });
    expect(stays).toEqual({
      ...{ metered_price: ['22'], refunded: ['62', '81'], key_of_subscription: ['82'], card: ['90', '91'] },
      ...{ ended: ['92'], paused_collection: ['93'] },
    });
    expect(find('product', '10')).toMatchObject({ type: 'SoftwareKey', description: 'A plugin\nfor all' });
    expect(find('purchase', '60')).toMatchObject({
      value: 3132,
      tax: 232,
      createdAt: Date.UTC(2023, 5, 1, 12),
    });
    expect(find('key', '80')).toMatchObject({
      ...{ offerRef: '20', purchaseRef: '60', key: 'LEMON-AAAA', state: 'sold', limit: 3, uses: 2 },
    });
    // It pays what it cost when it began.
    expect(find('subscription', '90')).toMatchObject({
      items: [{ offerRef: '21', quantity: 1, unitPrice: 500 }],
      ...{ anchorAt: Date.UTC(2023, 6, 5, 9), paidUntil: Date.UTC(2031, 0, 5, 9), nextTotal: 500 },
      paidForPeriod: { value: 500, tax: 0 },
    });
    expect(find('subscription', '91')).toMatchObject({ status: 'active', cancelAtIntervalEnd: true });
  });
});

describe('gumroad', () => {
  it.each([
    ['United Kingdom', 'GB'],
    ['France', 'FR'],
    ['Russian Federation', 'RU'],
    ['Curaçao', 'CW'],
    ['Benin', 'BJ'],
    ['Myanmar', 'MM'],
    ['Bolivia, Plurinational State of', 'BO'],
    ['Saint Kitts & Nevis', 'KN'],
    ['Kosovo', 'XK'],
    ['Atlantis', null],
  ])('knows the country that it calls %s: %s', (Country, country) => {
    const sold = { 'Purchase ID': 'g1', 'Purchase Email': 'ada@gumroad.example', 'Item Name': 'Brushes' };
    const row = { ...sold, 'Purchase Date': '2024-01-10', 'Sale Price ($)': '5', Country };
    expect(readRow(row)).toMatchObject({ sale: { country } });
  });

  it('X41 counts without the Totals row, ($) as USD, keys, and renewal a recurrence after the last charge', async () => {
    const { meta, counts, stays, find, refs } = await convert('gumroad');
    expect(meta).toMatchObject({ currency: 'USD' });
    expect(counts).toEqual({
      ...{ product: 2, variant: 1, offer: 2, customer: 2, purchase: 2, key: 2, subscription: 1 },
    });
    expect(stays).toEqual({ refunded: ['g3'], disputed: ['g4'], card: ['g5'], ended: ['g7'] });
    expect(refs('customer')).toEqual(['ola@gumroad.example', 'pia@gumroad.example']);
    expect(find('customer', 'ola@gumroad.example').billingDetails).toEqual({ countryCode: 'CH' });
    expect(find('product', 'brush')).toMatchObject({ type: 'SoftwareKey', name: 'Brushes' });
    expect(find('purchase', 'g1')).toMatchObject({
      items: [{ offerRef: 'brush:Pro', quantity: 2 }],
      ...{ value: 1081, tax: 81, currency: 'USD', country: 'CH', createdAt: Date.UTC(2024, 0, 10, 10) },
    });
    expect(find('key', 'g1')).toMatchObject({ key: 'GUM-AAAA', state: 'sold', uses: 4 });
    expect(find('key', 'g2')).toMatchObject({ state: 'revoked' });
    expect(find('offer', 'brush:Pro')).toMatchObject({ price: 500, currency: 'USD' });
    expect(find('subscription', 'g5')).toMatchObject({
      items: [{ offerRef: 'letter:monthly', quantity: 1, unitPrice: 800 }],
      ...{ createdAt: Date.UTC(2030, 10, 30, 10), anchorAt: Date.UTC(2030, 11, 31, 10) },
      ...{ paidUntil: Date.UTC(2031, 0, 31, 10), nextTotal: 800, cancelAtIntervalEnd: false },
    });
  });
});

describe('what is read', () => {
  it('X41 one file that holds every object, pages and whole files alike', async () => {
    const folder = folderOf('stripe');
    const texts = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    const into = await mkdtemp(join(tmpdir(), 'converters-'));
    await writeFile(join(into, 'all.jsonl'), texts.join(''));
    const { lines } = await convert('stripe');
    const sorted = (some: Lines) => some.map((line) => JSON.stringify(line)).sort();
    expect(sorted((await convert('stripe', into)).lines)).toEqual(sorted(lines));
    const objects = texts.flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    await rename(join(into, 'all.jsonl'), join(into, 'all.txt'));
    await writeFile(
      join(into, 'all.json'),
      JSON.stringify(
        objects.flatMap((one) => one.data ?? one),
        null,
        2,
      ),
    );
    expect(sorted((await convert('stripe', into)).lines)).toEqual(sorted(lines));
    await writeFile(join(into, 'customers.jsonl'), '{"id":"cus_1"}\n{"id":');
    await expect(convert('stripe', into)).rejects.toThrow('customers.jsonl, line 2 is no JSON.');
  });

  it('X41 tables with quotes, breaks in fields, marks of order, and pieces that end anywhere', async () => {
    const text = '\uFEFFa,"b ""c"", d"\r\n"1\n2",\n\n"",x\n5" disk,"""q"""';
    const readBy = async (size: number) => {
      const rows: string[][] = [];
      async function* pieces() {
        for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
      }
      for await (const row of readCsv(pieces())) rows.push(row);
      return rows;
    };
    for (const size of [1, 2, 3, 5, text.length])
      expect(await readBy(size)).toEqual([
        ['a', 'b "c", d'],
        ['1\n2', ''],
        ['', 'x'],
        ['5" disk', '"q"'],
      ]);
  });

  it('X41 tables and lines as spreadsheets and other systems save them: UTF-16, semicolons, carriage returns', async () => {
    const { lines } = await convert('gumroad');
    const table = await readFile(join(folderOf('gumroad'), 'sales.csv'), 'utf8');
    const into = await mkdtemp(join(tmpdir(), 'converters-'));
    const forms: Array<[string, string | Buffer]> = [
      ['line feeds after carriage returns', `\uFEFF${table.replaceAll('\n', '\r\n')}`],
      ['UTF-16', Buffer.from(`\uFEFF${table.replaceAll(',', '\t')}`, 'utf16le')],
      ['big endian', Buffer.from(`\uFEFF${table}`, 'utf16le').swap16()],
      ['carriage returns', table.replaceAll('\n', '\r')],
      ['semicolons', table.replaceAll(',', ';').replace(';brush;', ';"brush";')],
      ['decimal commas', table.replaceAll(',', ';').replace(/;(\d+)\.(\d\d)(?=;)/g, ';$1,$2')],
    ];
    expect(forms.at(-1)?.[1]).toContain(';0,81;10,00;');
    for (const [form, text] of forms) {
      await writeFile(join(into, 'sales.csv'), text);
      expect([form, (await convert('gumroad', into)).lines]).toEqual([form, lines]);
    }
    const listed = await convert('stripe');
    const marked = await mkdtemp(join(tmpdir(), 'converters-'));
    for (const name of await readdir(folderOf('stripe'))) {
      const text = await readFile(join(folderOf('stripe'), name), 'utf8');
      await writeFile(join(marked, name), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    }
    expect((await convert('stripe', marked)).lines).toEqual(listed.lines);
    // JSON lets this break of a line stand in a text.
    const customer = { id: 'cus_2028', object: 'customer', email: 'a@b.example', name: 'A\u2028B' };
    await writeFile(join(marked, 'customers.jsonl'), `${JSON.stringify(customer)}\n`);
    expect((await convert('stripe', marked)).lines).toContainEqual(
      expect.objectContaining({ kind: 'customer', ref: 'cus_2028' }),
    );
  });

  it('X41 refuses a table whose letters would be guessed, and one that a lost quote swallows', async () => {
    const table = await readFile(join(folderOf('gumroad'), 'sales.csv'), 'utf8');
    const into = await mkdtemp(join(tmpdir(), 'converters-'));
    await writeFile(join(into, 'sales.csv'), Buffer.from(table.replace('Ola', 'Jos\u00e9'), 'latin1'));
    await expect(convert('gumroad', into)).rejects.toThrow(/sales\.csv is not in UTF-8/);
    await writeFile(join(into, 'sales.csv'), table.replace('\ng2,', '\n"g2,'));
    await expect(convert('gumroad', into)).rejects.toThrow(/sales\.csv: The quote that opens after row 2 /);
  });

  it('X41 leaves a membership whose end nobody can read', async () => {
    const into = await mkdtemp(join(tmpdir(), 'converters-'));
    const head =
      'Purchase ID,Item Name,Purchase Email,Purchase Date,Sale Price ($),Recurrence,Subscription End Date';
    const row = (ref: string, end: string) => `${ref},Club,${ref}@g.example,2026-12-20,5.00,monthly,${end}`;
    await writeFile(join(into, 'sales.csv'), [head, row('g1', '31.12.2026'), row('g2', '')].join('\n'));
    const { refs, stays } = await convert('gumroad', into);
    expect([refs('subscription'), stays.no_period]).toEqual([['g2'], ['g1']]);
  });

  it('X41 sums, moments and months as they are written there', () => {
    expect(['19.5', '1,234.50', '$3', '0.005', '-1', 'x'].map((sum) => toMinor(sum, 'USD'))).toEqual([
      ...[1950, 123_450, 300, null, null, null],
    ]);
    expect([toMinor('500', 'JPY'), toMinor('1.234', 'KWD')]).toEqual([500, 1234]);
    const commas = [
      '19,99',
      '19,9',
      '1.234,50',
      '1.234.567,00',
      '1,234',
      '1,234,567',
      '1,23,456',
      '1.23,456',
    ];
    expect(commas.map((sum) => toMinor(sum, 'USD'))).toEqual([
      ...[1999, 1990, 123_450, 123_456_700, 123_400, 123_456_700, null, null],
    ]);
    expect(['19', '19.5', '19,5', '8.1 %', '', undefined, 'x'].map(toPercent)).toEqual([
      ...[19, 19.5, 19.5, 8.1, null, null, null],
    ]);
    const moment = Date.UTC(2024, 0, 31, 10);
    const written = [
      '2024-01-31 10:00',
      '2024-01-31 10:00:00 UTC',
      '2024-01-31T11:00:00+01:00',
      '2024-01-31 10:00:00 +0000',
    ];
    expect(written.map(toMs)).toEqual(written.map(() => moment));
    const turned = ['10.01.2029', '1/10/2029', '10-01-2029', '2029', '1', 'nope', '2029-13-01', ''];
    const never = ['2029-02-29', '2028-02-30 10:00', '2028-04-31T10:00:00Z'];
    expect([...turned, ...never].map(toMs)).toEqual([...turned, ...never].map(() => null));
    expect(addIntervals(moment, { unit: 'month', count: 1 }, 1)).toBe(Date.UTC(2024, 1, 29, 10));
  });
});
