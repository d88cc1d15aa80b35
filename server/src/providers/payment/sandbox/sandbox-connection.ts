/** The sandbox of a test store is a connection that nobody has to make, and whose row nobody has to read. */
import { createHash } from 'node:crypto';

/** As the row of each store has it: the store computes the same. In the form of a UUIDv8. */
export function toSandboxConnectionId(workspaceId: string): string {
  const hex = createHash('sha256').update(`sandbox:${workspaceId}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
