/**
 * The rules of EN 16931 (by their numbers there) that bear on what we write, and the order of the elements, as
 * the schema of the Cross Industry Invoice has it. Read from the XML alone, so that it checks who wrote it.
 */
import { expect } from 'vitest';
import { findAll, type ReadElement, readXml, toLocal } from './read-xml.ts';

export interface ReadEInvoice {
  root: ReadElement;
  /** The text at this path below the transaction. */
  text(path: string): string | undefined;
  texts(path: string): string[];
}

const AGREEMENT = 'ApplicableHeaderTradeAgreement';
const SETTLEMENT = 'ApplicableHeaderTradeSettlement';
const SUMMATION = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`;
const LINE = 'IncludedSupplyChainTradeLineItem';
const LINE_SETTLEMENT = 'SpecifiedLineTradeSettlement';

/** Throws for the first rule that the document breaks. */
export function expectEn16931(xml: string): ReadEInvoice {
  const root = readXml(xml);
  const [transaction] = findAll(root, 'SupplyChainTradeTransaction');
  if (!transaction) throw new Error('no transaction');
  const read: ReadEInvoice = {
    root,
    text: (path) => findAll(transaction, path)[0]?.text,
    texts: (path) => findAll(transaction, path).map(({ text }) => text),
  };
  expectOrder(root);
  expectHead(root);
  expectParties(read);
  expectSums(transaction, read);
  for (const line of findAll(transaction, LINE)) expectLine(line);
  for (const part of findAll(transaction, `${SETTLEMENT}/ApplicableTradeTax`)) {
    expectBreakdown(part, transaction);
  }
  return read;
}

/** Hundred-thousandths as a whole number: sums of decimals without fractions. */
function toExact(text: string | undefined): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,5}))?$/.exec(text ?? '');
  if (!match) throw new Error(`${text} is no amount`);
  const [, sign, whole = '', fraction = ''] = match;
  const exact = BigInt(whole + fraction.padEnd(5, '0'));
  return sign ? -exact : exact;
}

function sum(texts: readonly string[]): bigint {
  return texts.reduce((total, text) => total + toExact(text), 0n);
}

function expectHead(root: ReadElement): void {
  const text = (path: string) => findAll(root, path)[0]?.text;
  // BR-01, BR-02, BR-03, BR-04.
  expect(text('ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID')).toBe(
    'urn:cen.eu:en16931:2017',
  );
  expect(text('ExchangedDocument/ID')).toBeTruthy();
  expect(['380', '381']).toContain(text('ExchangedDocument/TypeCode'));
  expect(text('ExchangedDocument/IssueDateTime/DateTimeString')).toMatch(/^\d{8}$/);
}

function expectParties({ text, texts }: ReadEInvoice): void {
  const seller = `${AGREEMENT}/SellerTradeParty`;
  const buyer = `${AGREEMENT}/BuyerTradeParty`;
  const numbers = texts(`${seller}/SpecifiedTaxRegistration/ID`);
  for (const party of [seller, buyer]) {
    // BR-06 to BR-11.
    expect(text(`${party}/Name`)).toBeTruthy();
    expect(text(`${party}/PostalTradeAddress/CountryID`)).toMatch(/^[0-9A-Z]{2}$/);
  }
  const known = [
    ...texts(`${seller}/ID`),
    ...texts(`${seller}/SpecifiedLegalOrganization/ID`),
    ...numbers.filter((number) => /^[A-Z]{2}/.test(number)),
  ];
  expect(known.length, 'BR-CO-26').toBeGreaterThan(0);
  const categories = texts(`${SETTLEMENT}/ApplicableTradeTax/CategoryCode`);
  if (categories.includes('O')) {
    expect([categories.length, ...numbers.filter((number) => /^[A-Z]{2}/.test(number))]).toEqual([1]);
    expect(texts(`${buyer}/SpecifiedTaxRegistration/ID`), 'BR-O-02').toEqual([]);
  } else expect(numbers.length, 'BR-S-02').toBe(1);
  if (categories.includes('AE')) {
    const ids = [
      ...texts(`${buyer}/SpecifiedTaxRegistration/ID`),
      ...texts(`${buyer}/SpecifiedLegalOrganization/ID`),
    ];
    expect(ids, 'BR-AE-02').toHaveLength(1);
  }
}

function expectSums(transaction: ReadElement, { text, texts }: ReadEInvoice): void {
  const amount = (name: string) => toExact(text(`${SUMMATION}/${name}`));
  for (const { name, text: shown } of listLeaves(transaction)) {
    // BR-DEC-01 to -28: all amounts but prices.
    if (/Amount$/.test(name) && !/ChargeAmount$/.test(name)) expect(shown).toMatch(/^-?\d+(\.\d{1,2})?$/);
  }
  const nets = texts(
    `${LINE}/${LINE_SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`,
  );
  expect(amount('LineTotalAmount'), 'BR-CO-10').toBe(sum(nets));
  expect(texts(`${SETTLEMENT}/SpecifiedTradeAllowanceCharge`)).toEqual([]);
  expect(amount('TaxBasisTotalAmount'), 'BR-CO-13').toBe(amount('LineTotalAmount'));
  const taxes = texts(`${SETTLEMENT}/ApplicableTradeTax/CalculatedAmount`);
  expect(amount('TaxTotalAmount'), 'BR-CO-14').toBe(sum(taxes));
  expect(amount('GrandTotalAmount'), 'BR-CO-15').toBe(
    amount('TaxBasisTotalAmount') + amount('TaxTotalAmount'),
  );
  const due = amount('GrandTotalAmount') - amount('TotalPrepaidAmount');
  expect(amount('DuePayableAmount'), 'BR-CO-16').toBe(due);
  // BR-CO-25: something to pay would need terms of payment.
  expect(due).toBe(0n);
}

function expectLine(line: ReadElement): void {
  const text = (path: string) => findAll(line, path)[0]?.text;
  const price = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice';
  // BR-21 to BR-27.
  expect(text('AssociatedDocumentLineDocument/LineID')).toBeTruthy();
  expect(text('SpecifiedTradeProduct/Name')).toBeTruthy();
  const quantity = BigInt(text('SpecifiedLineTradeDelivery/BilledQuantity') ?? '');
  const priceAmount = toExact(text(`${price}/ChargeAmount`));
  const priceQuantity = BigInt(text(`${price}/BasisQuantity`) ?? '1');
  expect(priceAmount >= 0n, 'BR-27').toBe(true);
  const allowance = text(`${LINE_SETTLEMENT}/SpecifiedTradeAllowanceCharge/ActualAmount`);
  const net = toExact(
    text(`${LINE_SETTLEMENT}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount`),
  );
  // BT-131 = quantity × price per base quantity − allowances, without any rounding.
  const allowanceAmount = allowance === undefined ? 0n : toExact(allowance);
  expect(quantity * priceAmount).toBe((net + allowanceAmount) * priceQuantity);
  if (allowance !== undefined) {
    expect(text(`${LINE_SETTLEMENT}/SpecifiedTradeAllowanceCharge/Reason`), 'BR-CO-23').toBeTruthy();
  }
  const category = text(`${LINE_SETTLEMENT}/ApplicableTradeTax/CategoryCode`);
  const rate = text(`${LINE_SETTLEMENT}/ApplicableTradeTax/RateApplicablePercent`);
  if (category === 'O') expect(rate, 'BR-O-05').toBeUndefined();
  else expect(Number(rate) > 0, 'BR-S-05, BR-Z-05, BR-E-05, BR-AE-05').toBe(category === 'S');
}

function expectBreakdown(part: ReadElement, transaction: ReadElement): void {
  const text = (path: string) => findAll(part, path)[0]?.text;
  const category = text('CategoryCode');
  const rate = text('RateApplicablePercent');
  const lines = findAll(transaction, `${LINE}/${LINE_SETTLEMENT}`).filter((line) => {
    const [tax] = findAll(line, 'ApplicableTradeTax');
    const read = (name: string) => tax && findAll(tax, name)[0]?.text;
    return read('CategoryCode') === category && read('RateApplicablePercent') === rate;
  });
  const nets = lines.flatMap((line) =>
    findAll(line, 'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
  );
  const basis = toExact(text('BasisAmount'));
  const tax = toExact(text('CalculatedAmount'));
  expect(lines.length, 'BR-CO-18').toBeGreaterThan(0);
  expect(basis, 'BR-S-08').toBe(sum(nets.map((net) => net.text)));
  // BR-CO-17, with the one unit of the currency that the standard's own checks leave to rounding by line.
  const drift = tax * 10_000_000n - basis * toExact(rate ?? '0');
  expect(drift < 10n ** 12n && drift > -(10n ** 12n), 'BR-CO-17').toBe(true);
  const isSilent = category === 'S' || category === 'Z';
  expect(text('ExemptionReason') === undefined, 'BR-S-10, BR-AE-10').toBe(isSilent);
  if (category !== 'S') expect(tax, 'BR-AE-09').toBe(0n);
}

function listLeaves(element: ReadElement): ReadElement[] {
  return element.children.length === 0 ? [element] : element.children.flatMap(listLeaves);
}

/** What may stand in an element, in the schema's order; `*` = more than once. What is not listed is a leaf. */
const ORDER: Record<string, string> = {
  CrossIndustryInvoice: 'ExchangedDocumentContext ExchangedDocument SupplyChainTradeTransaction',
  ExchangedDocumentContext: 'GuidelineSpecifiedDocumentContextParameter',
  GuidelineSpecifiedDocumentContextParameter: 'ID',
  ExchangedDocument: 'ID TypeCode IssueDateTime IncludedNote*',
  IncludedNote: 'Content',
  IssueDateTime: 'DateTimeString',
  SupplyChainTradeTransaction: `${LINE}* ${AGREEMENT} ApplicableHeaderTradeDelivery ${SETTLEMENT}`,
  [LINE]: `AssociatedDocumentLineDocument SpecifiedTradeProduct SpecifiedLineTradeAgreement
    SpecifiedLineTradeDelivery ${LINE_SETTLEMENT}`,
  AssociatedDocumentLineDocument: 'LineID',
  SpecifiedTradeProduct: 'SellerAssignedID Name Description',
  SpecifiedLineTradeAgreement: 'NetPriceProductTradePrice',
  NetPriceProductTradePrice: 'ChargeAmount BasisQuantity',
  SpecifiedLineTradeDelivery: 'BilledQuantity',
  [LINE_SETTLEMENT]: `ApplicableTradeTax BillingSpecifiedPeriod SpecifiedTradeAllowanceCharge
    SpecifiedTradeSettlementLineMonetarySummation`,
  ApplicableTradeTax: `CalculatedAmount TypeCode ExemptionReason BasisAmount CategoryCode ExemptionReasonCode
    RateApplicablePercent`,
  BillingSpecifiedPeriod: 'StartDateTime EndDateTime',
  StartDateTime: 'DateTimeString',
  EndDateTime: 'DateTimeString',
  SpecifiedTradeAllowanceCharge: 'ChargeIndicator ActualAmount ReasonCode Reason',
  ChargeIndicator: 'Indicator',
  SpecifiedTradeSettlementLineMonetarySummation: 'LineTotalAmount',
  [AGREEMENT]: 'SellerTradeParty BuyerTradeParty SellerOrderReferencedDocument',
  SellerTradeParty:
    'ID Name SpecifiedLegalOrganization PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
  BuyerTradeParty:
    'ID Name SpecifiedLegalOrganization PostalTradeAddress URIUniversalCommunication SpecifiedTaxRegistration',
  SpecifiedLegalOrganization: 'ID',
  PostalTradeAddress: 'PostcodeCode LineOne LineTwo CityName CountryID CountrySubDivisionName',
  URIUniversalCommunication: 'URIID',
  SpecifiedTaxRegistration: 'ID',
  SellerOrderReferencedDocument: 'IssuerAssignedID',
  ApplicableHeaderTradeDelivery: 'ActualDeliverySupplyChainEvent',
  ActualDeliverySupplyChainEvent: 'OccurrenceDateTime',
  OccurrenceDateTime: 'DateTimeString',
  [SETTLEMENT]: `PaymentReference InvoiceCurrencyCode SpecifiedTradeSettlementPaymentMeans ApplicableTradeTax*
    SpecifiedTradeSettlementHeaderMonetarySummation InvoiceReferencedDocument`,
  SpecifiedTradeSettlementPaymentMeans: 'TypeCode Information ApplicableTradeSettlementFinancialCard',
  ApplicableTradeSettlementFinancialCard: 'ID',
  SpecifiedTradeSettlementHeaderMonetarySummation: `LineTotalAmount TaxBasisTotalAmount TaxTotalAmount
    GrandTotalAmount TotalPrepaidAmount DuePayableAmount`,
  InvoiceReferencedDocument: 'IssuerAssignedID FormattedIssueDateTime',
  FormattedIssueDateTime: 'DateTimeString',
};

function expectOrder(element: ReadElement): void {
  const allowed = (ORDER[toLocal(element.name)] ?? '').split(/\s+/).filter(Boolean);
  const pattern = new RegExp(
    `^${allowed.map((name) => (name.endsWith('*') ? `(${name.slice(0, -1)} )*` : `(${name} )?`)).join('')}$`,
  );
  const found = element.children.map(({ name }) => `${toLocal(name)} `).join('');
  expect(found, element.name).toMatch(pattern);
  for (const child of element.children) expectOrder(child);
}
