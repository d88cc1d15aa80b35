import { type RowData, withoutTax } from '../row.ts';

function noRate(country: string, name: string, source: string): RowData[] {
  return withoutTax({ country, name, source, sellerDecides: true });
}

/**
 * Countries that tax digital services from abroad in a way that no rate of ours could follow honestly. Nothing is
 * charged, with the reason `outside_scope`; a seller who owes something there plugs in a tax engine.
 */
export const SELLER_DECIDES_ROWS: readonly RowData[] = [
  noRate('AR', 'IVA', 'Ley 27.430; Decreto 354/2018: withheld by the card issuer'),
  noRate('AZ', 'VAT', 'Tax Code, Article 169: withheld by the bank that pays'),
  noRate('BO', 'IVA', 'Decreto Supremo 4850: withheld by the card issuer'),
  noRate('BR', 'Taxes', 'ISS, PIS/COFINS and ICMS by municipality and state; CBS and IBS take their place'),
  noRate(
    'BW',
    'VAT',
    'Value Added Tax (Amendment) Act 2025: remote services, from a day that we could not confirm',
  ),
  noRate('CN', 'VAT', 'Value-Added Tax Law: withheld by the buyer; nobody abroad registers'),
  noRate('DO', 'ITBIS', 'Withheld by the card issuer where the rules are in force'),
  noRate(
    'IL',
    'VAT',
    'Value Added Tax Law 1975: owed by the buyer, by the seller only with a presence in Israel',
  ),
  noRate('PA', 'ITBMS', 'Withheld by the buyer of imported services'),
  noRate('PK', 'Sales tax', 'Sales tax on services by province'),
].flat();
