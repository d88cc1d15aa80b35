/** Why a store was not spread: told to the operator as it is. */
export class SpreadError extends Error {
  override name = 'SpreadError';
}

/** Something in the store or the cluster has to be mended before. */
export class SpreadObstacles extends Error {
  override name = 'SpreadObstacles';
}
