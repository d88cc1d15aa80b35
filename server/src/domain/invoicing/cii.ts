/**
 * The e-invoice as XML: UN/CEFACT Cross Industry Invoice (D16B), as Factur-X puts it into a PDF. The order of
 * the elements is the schema's.
 */
import { currencyDecimals } from '../money/currency.ts';
import { type EInvoice, type ELine, type EParty, planEInvoice } from './e-invoice.ts';
import type { Snapshot } from './snapshot.ts';
import type { LineVat, VatGroup } from './vat-category.ts';
import { group, leaf, toXml, type XmlNode } from './xml.ts';

/** The profile EN 16931 (COMFORT) of Factur-X. */
const GUIDELINE = 'urn:cen.eu:en16931:2017';
const NAMESPACES = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
};
/** UNTDID 1001. */
const TYPE_CODES = { invoice: '380', credit_note: '381' };
/** UN/ECE recommendation 20: one, without a dimension. */
const UNIT = 'C62';
/** UNTDID 5189: a discount. */
const DISCOUNT_CODE = '95';

/** Null for a document that cannot be an e-invoice: see `planEInvoice`. */
export function toCii(snapshot: Snapshot): string | null {
  const invoice = planEInvoice(snapshot);
  if (invoice === null) return null;
  const content = [toContext(), toHead(invoice), toTransaction(invoice)].filter((node) => node !== null);
  return toXml({ name: 'rsm:CrossIndustryInvoice', attributes: {}, content }, NAMESPACES);
}

function toContext(): XmlNode | null {
  return group('rsm:ExchangedDocumentContext', [
    group('ram:GuidelineSpecifiedDocumentContextParameter', [leaf('ram:ID', GUIDELINE)]),
  ]);
}

function toHead({ snapshot, notes }: EInvoice): XmlNode | null {
  return group('rsm:ExchangedDocument', [
    leaf('ram:ID', snapshot.number),
    leaf('ram:TypeCode', TYPE_CODES[snapshot.kind]),
    group('ram:IssueDateTime', [toDate('udt:DateTimeString', snapshot.finalisedAt)]),
    ...notes.map((note) => group('ram:IncludedNote', [leaf('ram:Content', note)])),
  ]);
}

function toTransaction(invoice: EInvoice): XmlNode | null {
  const { snapshot, lines, seller, buyer } = invoice;
  return group('rsm:SupplyChainTradeTransaction', [
    ...lines.map((line, index) => toLine(line, String(index + 1), snapshot)),
    group('ram:ApplicableHeaderTradeAgreement', [
      toParty('ram:SellerTradeParty', seller),
      toParty('ram:BuyerTradeParty', buyer),
      group('ram:SellerOrderReferencedDocument', [leaf('ram:IssuerAssignedID', snapshot.orderNumber)]),
    ]),
    toDelivery(snapshot),
    toSettlement(invoice),
  ]);
}

function toLine(line: ELine, id: string, { currency, discountName }: Snapshot): XmlNode | null {
  const { name, detail, internalId, net, periodStart, periodEnd } = line.line;
  const unit = { unitCode: UNIT };
  return group('ram:IncludedSupplyChainTradeLineItem', [
    group('ram:AssociatedDocumentLineDocument', [leaf('ram:LineID', id)]),
    group('ram:SpecifiedTradeProduct', [
      leaf('ram:SellerAssignedID', internalId),
      leaf('ram:Name', name),
      leaf('ram:Description', detail),
    ]),
    group('ram:SpecifiedLineTradeAgreement', [
      group('ram:NetPriceProductTradePrice', [
        leaf('ram:ChargeAmount', toDecimal(line.priceMinor, currency)),
        line.priceQuantity === 1 ? null : leaf('ram:BasisQuantity', String(line.priceQuantity), unit),
      ]),
    ]),
    group('ram:SpecifiedLineTradeDelivery', [leaf('ram:BilledQuantity', String(line.quantity), unit)]),
    group('ram:SpecifiedLineTradeSettlement', [
      group('ram:ApplicableTradeTax', [leaf('ram:TypeCode', 'VAT'), ...toRate(line.vat)]),
      toPeriod(periodStart, periodEnd),
      line.allowanceMinor === 0n ? null : toAllowance(line.allowanceMinor, currency, discountName),
      group('ram:SpecifiedTradeSettlementLineMonetarySummation', [
        leaf('ram:LineTotalAmount', toDecimal(BigInt(net), currency)),
      ]),
    ]),
  ]);
}

function toAllowance(minor: bigint, currency: string, name: string | null): XmlNode | null {
  return group('ram:SpecifiedTradeAllowanceCharge', [
    group('ram:ChargeIndicator', [leaf('udt:Indicator', 'false')]),
    leaf('ram:ActualAmount', toDecimal(minor, currency)),
    leaf('ram:ReasonCode', DISCOUNT_CODE),
    leaf('ram:Reason', name || 'Discount'),
  ]);
}

function toRate({ category, ratePpm }: LineVat): Array<XmlNode | null> {
  return [
    leaf('ram:CategoryCode', category),
    ratePpm === null ? null : leaf('ram:RateApplicablePercent', toPercent(ratePpm)),
  ];
}

function toPeriod(startMs: number | null, endMs: number | null): XmlNode | null {
  if (startMs === null || endMs === null) return null;
  return group('ram:BillingSpecifiedPeriod', [
    group('ram:StartDateTime', [toDate('udt:DateTimeString', startMs)]),
    group('ram:EndDateTime', [toDate('udt:DateTimeString', endMs)]),
  ]);
}

function toParty(name: string, { party, country, ...numbers }: EParty): XmlNode | null {
  const { id, registrationNumber, vatNumber, taxNumber } = numbers;
  return group(name, [
    leaf('ram:ID', id),
    leaf('ram:Name', party.name),
    group('ram:SpecifiedLegalOrganization', [leaf('ram:ID', registrationNumber)]),
    group('ram:PostalTradeAddress', [
      leaf('ram:PostcodeCode', party.postalCode),
      leaf('ram:LineOne', party.address),
      leaf('ram:LineTwo', party.addressLine2),
      leaf('ram:CityName', party.city),
      leaf('ram:CountryID', country),
      leaf('ram:CountrySubDivisionName', party.state),
    ]),
    group('ram:URIUniversalCommunication', [leaf('ram:URIID', party.email, { schemeID: 'EM' })]),
    group('ram:SpecifiedTaxRegistration', [leaf('ram:ID', vatNumber, { schemeID: 'VA' })]),
    group('ram:SpecifiedTaxRegistration', [leaf('ram:ID', taxNumber, { schemeID: 'FC' })]),
  ]);
}

/** The schema wants the element, and of a refund it has nothing to say. */
function toDelivery({ kind, paidAt }: Snapshot): XmlNode {
  const name = 'ram:ApplicableHeaderTradeDelivery';
  const supplied =
    kind === 'invoice' &&
    group('ram:ActualDeliverySupplyChainEvent', [
      group('ram:OccurrenceDateTime', [toDate('udt:DateTimeString', paidAt)]),
    ]);
  return { name, attributes: {}, content: supplied ? [supplied] : [] };
}

function toSettlement({ snapshot, vat }: EInvoice): XmlNode | null {
  const { currency, paymentNumber, net, tax, total, refersTo } = snapshot;
  const amount = (name: string, minor: number, attributes = {}) =>
    leaf(name, toDecimal(BigInt(minor), currency), attributes);
  return group('ram:ApplicableHeaderTradeSettlement', [
    leaf('ram:PaymentReference', paymentNumber),
    leaf('ram:InvoiceCurrencyCode', currency),
    toPaymentMeans(snapshot),
    ...vat.map((part) => toVat(part, currency)),
    group('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      amount('ram:LineTotalAmount', net),
      amount('ram:TaxBasisTotalAmount', net),
      amount('ram:TaxTotalAmount', tax, { currencyID: currency }),
      amount('ram:GrandTotalAmount', total),
      // A document is made when the money has moved: nothing is left to pay.
      amount('ram:TotalPrepaidAmount', total),
      amount('ram:DuePayableAmount', 0),
    ]),
    refersTo &&
      group('ram:InvoiceReferencedDocument', [
        leaf('ram:IssuerAssignedID', refersTo.number),
        group('ram:FormattedIssueDateTime', [toDate('qdt:DateTimeString', refersTo.finalisedAt)]),
      ]),
  ]);
}

/** UNTDID 4461: 48 is a bank card, ZZZ what both sides know. */
function toPaymentMeans({ method }: Snapshot): XmlNode | null {
  if (method === null) return null;
  const isCard = method.type === 'card';
  return group('ram:SpecifiedTradeSettlementPaymentMeans', [
    leaf('ram:TypeCode', isCard ? '48' : 'ZZZ'),
    leaf('ram:Information', method.type.replaceAll('_', ' ')),
    isCard ? group('ram:ApplicableTradeSettlementFinancialCard', [leaf('ram:ID', method.last4)]) : null,
  ]);
}

function toVat(part: VatGroup, currency: string): XmlNode | null {
  const [category, rate] = toRate(part);
  return group('ram:ApplicableTradeTax', [
    leaf('ram:CalculatedAmount', toDecimal(part.taxMinor, currency)),
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:ExemptionReason', part.reason),
    leaf('ram:BasisAmount', toDecimal(part.basisMinor, currency)),
    category ?? null,
    leaf('ram:ExemptionReasonCode', part.reasonCode),
    rate ?? null,
  ]);
}

/** Minor units as a decimal number; a third decimal of 0 is left out, since amounts have room for two. */
function toDecimal(minor: bigint, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/^(..)0$/, '$1');
  return `${minor < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** 99,750 → 9.975. */
function toPercent(ratePpm: number): string {
  return String(ratePpm / 10_000);
}

/** The day in UTC as CCYYMMDD (UNTDID 2379: 102). */
function toDate(name: string, ms: number): XmlNode | null {
  return leaf(name, new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''), { format: '102' });
}
