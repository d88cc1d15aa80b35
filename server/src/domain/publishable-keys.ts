/** Key pairs that belong into a page: their public key alone reads what any buyer sees, and nothing else. */

/** Areas that such a pair may read. */
const AREAS: readonly string[] = ['products', 'offers', 'elements', 'custom-fields', 'tax'];

/** All scopes that such a pair may have. */
export const PUBLISHABLE_SCOPES: readonly string[] = AREAS.map((area) => `${area}:read`);

/** Whether pages may ask an operation across origins at all: reads of these areas, and what computes tax. */
export function isForPages({
  method,
  path,
  area,
}: {
  method: string;
  path: string;
  area: string | null;
}): boolean {
  if (path === '/v0/tax/calculate') return true;
  return method === 'GET' && area !== null && AREAS.includes(area);
}

export function isPublishable({
  scopes,
  readRequiresSecret,
}: {
  scopes: readonly string[] | null;
  readRequiresSecret: boolean;
}): boolean {
  return (
    !readRequiresSecret && scopes !== null && scopes.every((scope) => PUBLISHABLE_SCOPES.includes(scope))
  );
}
