/** What pages of ours and the fields of a processor in them tell each other. */

/** What a page is about to take, as far as the fields of a processor must know it. */
export interface FieldsAsk {
  /** Minor units of `currency`; 0 only takes and stores the method. */
  amountMinor: bigint;
  currency: string;
  /** The method will be charged again. */
  keepsMethod: boolean;
  /** Others may wait for what is bought, so that no method may take days. */
  isScarce: boolean;
  /** Within another's page, which no method may lead away from. */
  isFramed: boolean;
  /** The types that the merchant has chosen; none = all. */
  chosen: readonly string[];
}

/** What a page of ours needs to show fields that only the processor reads. Nothing of it is secret. */
export interface ProcessorFields {
  /** The kind, which the page has a part for. */
  kind: string;
  /** The processor's script, loaded from its own host. */
  script: string;
  publishableKey: string;
  /** As the processor counts it; null = the method is only stored. */
  amount: number | null;
  /** ISO 4217, lower case. */
  currency: string;
  /** The processor's names of the methods; the charge is asked for by the very same list. */
  types: readonly string[];
  /** Those of a method that the buyer asks to be stored, though nothing would store it. */
  keptTypes: readonly string[];
  keepsMethod: boolean;
}
