/**
 * What we have begun or given up of an order or a setup token. PayPal can cancel neither: of a capture and a cancel that
 * come at once the one that writes its mark first is the one that counts.
 */
import type pg from 'pg';
import type { DeclineKind, ProviderScope } from '../payment-provider.ts';

export interface Marked {
  scope: ProviderScope;
  connectionId: string;
  /** Of the order or setup token. */
  objectId: string;
}

export interface Refused {
  decline: DeclineKind;
  reason: string;
}

/** `begun`: the money may be taken. `closed`: it never will be; with the reason it was declined for, else cancelled. */
export type Mark = { state: 'begun' } | { state: 'closed'; refused: Refused | null };

export interface MarkStore {
  find(of: Marked): Promise<Mark | null>;
  /** Answers the mark that stands: the first one's. */
  put(of: Marked, state: Mark['state']): Promise<Mark>;
  /** After a decline nobody asks by the same object again. */
  close(of: Marked, refused: Refused): Promise<void>;
}

interface Row {
  state: Mark['state'];
  decline: DeclineKind | null;
  reason: string | null;
}

const OF = 'workspace_id = $1 and test_mode = $2 and connection_id = $3 and object_id = $4';
const FIND = `select state, decline, reason from paypal_marks where ${OF}`;
const PUT = `insert into paypal_marks (workspace_id, test_mode, connection_id, object_id, state)
  values ($1, $2, $3, $4, $5) on conflict do nothing`;
const CLOSE = `update paypal_marks set state = 'closed', decline = $5, reason = $6 where ${OF}`;

export function createMarkStore(pool: pg.Pool): MarkStore {
  const toKey = ({ scope, connectionId, objectId }: Marked) => [
    ...[scope.workspaceId, scope.testMode, connectionId, objectId],
  ];
  const find = async (of: Marked): Promise<Mark | null> => {
    const { rows } = await pool.query<Row>({ name: 'find_paypal_mark', text: FIND, values: toKey(of) });
    return rows[0] ? toMark(rows[0]) : null;
  };
  return {
    find,
    put: async (of, state) => {
      await pool.query({ name: 'put_paypal_mark', text: PUT, values: [...toKey(of), state] });
      return (await find(of)) ?? { state: 'closed', refused: null };
    },
    close: async (of, { decline, reason }) => {
      await pool.query({ name: 'close_paypal_mark', text: CLOSE, values: [...toKey(of), decline, reason] });
    },
  };
}

function toMark({ state, decline, reason }: Row): Mark {
  if (state === 'begun') return { state };
  return { state, refused: decline && reason ? { decline, reason } : null };
}
