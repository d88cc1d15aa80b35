/** Numbers by which buyers and merchant speak of a statement: unguessable, as an order's. */
import { orderNumberFrom } from '../numbers.ts';

export function toStatementNumber(kind: 'withdrawal' | 'notice', randomBytes: Uint8Array): string {
  return `${kind === 'withdrawal' ? 'W' : 'C'}-${orderNumberFrom(randomBytes)}`;
}
