/** Turns a paid sale into what its invoice says. Pure: all that it says is given. */
import { toItemNote } from '../item-note.ts';
import type { Language } from '../languages.ts';
import { toPersonName } from '../person-name.ts';
import type { Settings } from '../settings.ts';
import { isEuMember } from '../tax/eu.ts';
import { type Party, type SnapshotBody, type SnapshotLine, type SnapshotRate, sumTaxes } from './snapshot.ts';

/** A line as it was sold; amounts in minor units. */
export interface SoldLine {
  name: string;
  description: string | null;
  internalId: string | null;
  unitPrice: number;
  quantity: number;
  discount: number;
  tax: number;
  total: number;
  inclusive: boolean;
  taxReason: string;
  taxRates: SnapshotRate[];
  product: { name?: string | null } | null;
  variant: { name?: string | null } | null;
  periodStart: number | null;
  periodEnd: number | null;
}

/** Billing details as they are stored: absent where nothing was said. */
export interface BuyerDetails {
  type?: 'individual' | 'company';
  firstName?: string;
  lastName?: string;
  companyName?: string;
  address?: string;
  addressLine2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  countryCode?: string;
  taxNumber?: string;
}

export interface PaidSale {
  /** Of the buyer. */
  language: Language;
  testMode: boolean;
  orderNumber: string;
  paymentNumber: string;
  currency: string;
  value: number;
  tax: number;
  discount: { name: string | null; discountCode: string | null } | null;
  /** What the tax decision of the sale says on paper; null where it was not kept. */
  sentences: string[] | null;
  lines: SoldLine[];
  buyer: BuyerDetails;
  buyerEmail: string | null;
  workspaceName: string;
  method: { type: string; brand: string | null; last4: string | null } | null;
  paidAt: number;
}

const REVERSE_CHARGE_EU =
  'Reverse charge: VAT to be accounted for by the recipient (Article 196, Directive 2006/112/EC).';
const REVERSE_CHARGE_ELSEWHERE = 'Reverse charge: tax to be accounted for by the recipient.';

export function planInvoice(sale: PaidSale, settings: Settings): SnapshotBody {
  const lines = sale.lines.map(toLine);
  return {
    version: 1,
    kind: 'invoice',
    language: sale.language,
    testMode: sale.testMode,
    orderNumber: sale.orderNumber,
    paymentNumber: sale.paymentNumber,
    currency: sale.currency,
    seller: toSeller(settings, sale.workspaceName),
    buyer: toBuyer(sale.buyer, sale.buyerEmail),
    lines,
    taxes: sumTaxes(lines),
    discountName: sale.discount ? (sale.discount.discountCode ?? sale.discount.name) : null,
    net: sale.value - sale.tax,
    tax: sale.tax,
    total: sale.value,
    sentences: sale.sentences ?? toSentences(lines),
    method: sale.method,
    paidAt: sale.paidAt,
    refersTo: null,
    creditReason: null,
    footer: settings.invoiceFooter,
    logoFileId: toFileId(settings.invoiceLogo),
  };
}

function toLine(line: SoldLine): SnapshotLine {
  const net = line.total - line.tax;
  return {
    name: line.name,
    detail: line.description ?? toNote(line),
    internalId: line.internalId,
    unitPrice: line.unitPrice,
    quantity: line.quantity,
    inclusive: line.inclusive,
    discount: line.discount,
    net,
    tax: line.tax,
    total: line.total,
    reason: line.taxReason,
    // Without a rate the reason would be lost in the sums.
    rates: line.taxRates.length > 0 ? line.taxRates : [toEmptyRate(line.taxReason, net)],
    periodStart: line.periodStart,
    periodEnd: line.periodEnd,
  };
}

/** An invoice says what was sold, and "Monthly" alone does not. */
function toNote({ name, product, variant }: SoldLine): string | null {
  return toItemNote({ name, productName: product?.name ?? null, variantName: variant?.name ?? null });
}

function toEmptyRate(reason: string, net: number): SnapshotRate {
  return { name: 'Tax', country: '', region: null, percentage: 0, reason, taxable: net, amount: 0 };
}

/** Without a number of its own that of its registration at home: an invoice must say one. */
function toSeller({ seller, sellerCountry, registrations }: Settings, workspaceName: string): Party {
  const atHome = registrations.find(
    ({ country, region, number }) => country === sellerCountry && region === null && number !== null,
  );
  const { name, address, addressLine2, city, state, postalCode, taxNumber, registrationNumber, email } =
    seller;
  return {
    name: name ?? workspaceName,
    address,
    addressLine2,
    city,
    state,
    postalCode,
    country: sellerCountry,
    taxNumber: taxNumber ?? atHome?.number ?? null,
    registrationNumber,
    email,
  };
}

function toBuyer(details: BuyerDetails, email: string | null): Party {
  const person = toPersonName(details);
  // Of someone who bought as a company before and as a person now, the company's words are not told.
  const isPerson = details.type === 'individual';
  const name = (isPerson ? null : details.companyName) || person || details.companyName;
  return {
    name: name || email || '',
    address: details.address ?? null,
    addressLine2: details.addressLine2 ?? null,
    city: details.city ?? null,
    state: details.state ?? null,
    postalCode: details.postalCode ?? null,
    country: details.countryCode ?? null,
    taxNumber: isPerson ? null : (details.taxNumber ?? null),
    registrationNumber: null,
    email,
  };
}

/** Of a renewal: the lines alone say why nothing was taxed. */
function toSentences(lines: readonly SnapshotLine[]): string[] {
  const reversed = lines.flatMap((line) => line.rates).filter((rate) => rate.reason === 'reverse_charge');
  const said = reversed.map(({ country }) =>
    isEuMember(country) ? REVERSE_CHARGE_EU : REVERSE_CHARGE_ELSEWHERE,
  );
  return [...new Set(said)];
}

function toFileId(url: string | null): string | null {
  return /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(url ?? '')?.[1] ?? null;
}
