/** Why nothing was restored: told to the operator as it is. */
export class RestoreError extends Error {
  override name = 'RestoreError';
}
