/** What the page of a subscription's card asks. No key: the signed link is the buyer's capability. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { showCard } from '../flows/dunning/show-card.ts';
import { confirmCard, findCardAction, takeCard } from '../flows/dunning/take-card.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { GivenMethod, toGivenMethod } from './given-method.ts';
import { type OpenedCard, openCardPage } from './open-card-page.ts';

const CardBody = Type.Object(GivenMethod, { additionalProperties: false });

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerCardRoutes(app: FastifyInstance, service: Service): void {
  const base = '/card-pages/:token';
  const hidden = { schema: { hide: true } };
  const answer = async ({ ctx, scope, subscriptionId }: OpenedCard) => ({
    status: 'success',
    data: { card: await showCard(ctx, scope, subscriptionId) },
  });
  app.get(base, hidden, async ({ params }: Asked) =>
    answer(await openCardPage(service, params.token, false)),
  );
  app.post(`${base}/give`, { schema: { hide: true, body: CardBody } }, async (request: Asked) => {
    const opened = await openCardPage(service, request.params.token, true);
    const { ctx, scope, subscriptionId } = opened;
    const method = await readMethod(opened, request.body as Static<typeof CardBody>);
    await takeCard(ctx, scope, { subscriptionId, method, ipAddress: request.ip });
    service.nudgeWorker(scope);
    return answer(opened);
  });
  app.post(`${base}/confirm`, hidden, async ({ params }: Asked) => {
    const opened = await openCardPage(service, params.token, true);
    await confirmCard(opened.ctx, opened.scope, opened.subscriptionId);
    service.nudgeWorker(opened.scope);
    return answer(opened);
  });
  // Told to whoever holds the page, and kept nowhere: by it the method can be given.
  app.post(`${base}/action`, hidden, async ({ params }: Asked, reply) => {
    const { ctx, scope, subscriptionId } = await openCardPage(service, params.token, true);
    const action = await findCardAction(ctx, scope, subscriptionId);
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { action } });
  });
}

/** Throws card_invalid, method_not_offered, and processor_not_configured. */
async function readMethod(
  { ctx, scope, subscriptionId }: OpenedCard,
  body: Static<typeof CardBody>,
): Promise<ChargeMethod> {
  const { processorFields, status } = await showCard(ctx, scope, subscriptionId);
  const method = toGivenMethod(body, {
    fields: processorFields,
    isOpen: status === 'open',
    nowMs: ctx.nowMs,
  });
  // What is sent by hand each time is no method to keep.
  if (!method || method.kind === 'transfer') throw new Refusal('method_not_offered');
  return method;
}
