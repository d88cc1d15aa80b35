/** A request to a host that a merchant named, and what came of it. */
import type { LookupAddress } from 'node:dns';
import type { AddressGuard } from './address-guard.ts';
import type { FailureKind } from './failure.ts';
import type { OwnAddress } from './own-address.ts';

export interface OutgoingRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** From the start to the last byte that is read; at most, and by default, 15 s. */
  timeoutMs?: number;
}

export type OutgoingResult =
  | {
      kind: 'answered';
      statusCode: number;
      headers: Record<string, string | string[] | undefined>;
      /** The first 64 KiB. */
      body: string;
      /** Whether there was more, or the answer broke off or ran out of time. */
      isCut: boolean;
      /** The address that was reached. */
      address: string | null;
      durationMs: number;
    }
  | { kind: 'failed'; error: FailureKind; message: string; address: string | null; durationMs: number };

/** What may be reached. */
export interface Reach {
  guard: AddressGuard;
  resolve: (host: string) => Promise<LookupAddress[]>;
  ownAddress: OwnAddress | null;
}
