/** The operations that a key pair without scopes may call: what asks for a session, or a scope by name, is tried apart. */
import { routes } from '../../src/api/routes.ts';
import { scopesAllow } from '../../src/domain/key-scopes.ts';
import { areaOf } from '../../src/domain/roles.ts';
import type { Route } from '../../src/http/route.ts';

export const routesOfPairs: readonly Route[] = routes.filter((route) => {
  const area = areaOf(route);
  const asked = { area: area ?? '', access: 'read', testMode: true } as const;
  return route.audience === undefined && !route.membersOnly && (!area || scopesAllow(null, asked));
});
