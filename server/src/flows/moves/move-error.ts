/** Why a store was not moved: told to the operator as it is. */
export class StoreMoveError extends Error {
  override name = 'StoreMoveError';
}
