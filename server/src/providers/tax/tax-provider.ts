/**
 * The port to whatever decides taxes. The table that is shipped with the product is the default; an outside
 * engine takes over by answering the same question. Asked before any transaction is opened.
 */
import { decideByTable, type TaxRequest, type TaxRules } from '../../domain/tax/decide-by-table.ts';

export interface TaxProvider {
  name: string;
  /** A rule for every category of the request. */
  decide(request: TaxRequest): Promise<TaxRules>;
}

export const taxTable: TaxProvider = {
  name: 'table',
  decide: async (request) => decideByTable(request),
};
