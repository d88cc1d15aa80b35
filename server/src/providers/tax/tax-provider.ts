/**
 * The port to whatever decides taxes. The table that is shipped with the product is the default; an engine
 * elsewhere would be asked before a transaction opens and its answers remembered, as the register of tax numbers is:
 * the answer here is at hand.
 */
import { decideByTable, type TaxRequest, type TaxRules } from '../../domain/tax/decide-by-table.ts';

export interface TaxProvider {
  name: string;
  /** A rule for every category of the request. */
  decide(request: TaxRequest): TaxRules;
}

export const taxTable: TaxProvider = {
  name: 'table',
  decide: decideByTable,
};
