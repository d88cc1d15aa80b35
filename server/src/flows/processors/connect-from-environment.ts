/** The account that the operator names at start is connected to the first workspace, once. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { getInstallationState } from '../../resources/installation/held.queries.ts';
import { hasProcessorOfKind } from '../../resources/processors/processors.queries.ts';
import { getClock, listWorkspaces } from '../../resources/workspaces/workspaces.queries.ts';
import { connectAccount } from './connect-account.ts';

type Service = Omit<Context, 'nowMs'>;

/** As people know the kind. */
const KIND = 'stripe';
const NAME = 'Stripe';

/**
 * In the mode of its keys; not where that store ever had an account of the kind, retired or not, nor in a copy, which
 * would charge for its original. Answers whether it was connected. Throws what connecting refuses with.
 */
export async function connectFromEnvironment(service: Service): Promise<boolean> {
  const { stripeKeys: credentials } = service.config;
  const accounts = service.payments.kindNamed(KIND)?.accounts ?? null;
  if (!credentials || !accounts) return false;
  const [workspace] = await listWorkspaces(service.db);
  if (!workspace || (await getInstallationState(service.db)).isCopy) return false;
  const testMode = !/^(?:sk|rk)_live_/.test(credentials.secretKey);
  const scope: Scope = { workspaceId: workspace.id, testMode };
  if (await hasProcessorOfKind(service.db, scope, KIND)) return false;
  const { offsetMs } = await getClock(service.db, scope);
  await connectAccount({ ...service, nowMs: service.realNowMs() + offsetMs }, scope, {
    accounts,
    asked: { kind: KIND, name: NAME, credentials: { ...credentials } },
    begin: async () => {},
    finish: async () => {},
  });
  return true;
}
