/** What the page of a payment asks. No key: the token in its link is the buyer's capability. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { findWanted } from '../domain/wanted-language.ts';
import { payOrder } from '../flows/checkout/pay-order.ts';
import { payOwed } from '../flows/dunning/pay-owed.ts';
import { isProved, mailProof, openProof, type PayerProof, PROOF_MS } from '../flows/dunning/prove-payer.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { BillingDetails } from '../resources/users/billing-details.schema.ts';
import { GivenMethod, toGivenMethod } from './given-method.ts';
import { setLinkCookie } from './link-cookie.ts';
import {
  confirmPayment,
  type OpenedPayment,
  openPayment,
  readAction,
  readProof,
  showPayment,
} from './open-owed-payment.ts';

const PayBody = Type.Object(
  {
    /** Without one the stored card pays, for whoever has proved to be its owner. */
    ...GivenMethod,
    /** Renewals are to be charged to the card, too. */
    keep: Type.Optional(Type.Boolean()),
    /** Of an order: the price that was shown. */
    fingerprint: Type.Optional(Type.String({ maxLength: 100 })),
    /** Of the subscription, from now on; missing fields stay. */
    billingDetails: Type.Optional(BillingDetails),
  },
  { additionalProperties: false },
);

const OpenBody = Type.Object(
  { link: Type.String({ minLength: 1, maxLength: 400 }) },
  { additionalProperties: false },
);

type Asked = FastifyRequest<{ Params: { token: string } }>;

/** The page asks in the language that it is shown in. */
function languageOf({ headers }: Asked): string | null {
  return findWanted({ acceptLanguage: headers['accept-language'] }) ?? null;
}

export function registerDebtRoutes(app: FastifyInstance, service: Service): void {
  const open = ({ params }: Asked, isWrite: boolean) => openPayment(service, params.token, isWrite);
  const proofOf = (request: Asked, { scope }: OpenedPayment) => readProof(service, request, scope);
  const answer = async (request: Asked, opened: OpenedPayment) => {
    const proof = await proofOf(request, opened);
    return {
      status: 'success',
      data: { debt: await showPayment(opened, { proof, language: languageOf(request) }) },
    };
  };
  const base = '/payment-pages/:token';
  const hidden = { schema: { hide: true } };
  app.get(base, hidden, async (request: Asked) => {
    const opened = await open(request, false);
    return answer(request, opened);
  });
  app.post(`${base}/pay`, { schema: { hide: true, body: PayBody } }, async (request: Asked) => {
    const opened = await open(request, true);
    const proof = await proofOf(request, opened);
    const { ip: ipAddress } = request;
    await pay(opened, request.body as Static<typeof PayBody>, { proof, ipAddress });
    service.nudgeWorker(opened.scope);
    return answer(request, opened);
  });
  app.post(`${base}/confirm`, hidden, async (request: Asked) => {
    const opened = await open(request, true);
    await confirmPayment(opened);
    service.nudgeWorker(opened.scope);
    return answer(request, opened);
  });
  // Told to whoever holds the page, and kept nowhere: by it the charge can be paid.
  app.post(`${base}/action`, hidden, async (request: Asked, reply) => {
    const action = await readAction(await open(request, true));
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { action } });
  });
  registerProofRoutes(app, service);
}

/** The same is answered whatever there was to send and to whom: whoever has the link may be anybody. */
function registerProofRoutes(app: FastifyInstance, service: Service): void {
  const base = '/payment-pages/:token/prove';
  app.post(base, { schema: { hide: true } }, async (request: Asked) => {
    const { ctx, scope, token, debt } = await openPayment(service, request.params.token, true);
    if (debt) await mailProof(ctx, scope, { ...debt, payToken: token });
    return { status: 'success', data: { sent: true } };
  });
  app.post(`${base}/open`, { schema: { hide: true, body: OpenBody } }, async (request: Asked, reply) => {
    const opened = await openPayment(service, request.params.token, true);
    const { ctx, scope, token, debt: owed } = opened;
    if (!owed) throw new Refusal('proof_required');
    const { link } = request.body as Static<typeof OpenBody>;
    const browser = await openProof(ctx, scope, { ...owed, payToken: token, link });
    setLinkCookie(reply, {
      name: 'payer',
      value: browser,
      paths: [`/pay/${token}`, `/payment-pages/${token}`],
      lifetimeMs: PROOF_MS,
      publicUrl: service.config.publicUrl,
    });
    const proof = { browser, signedInId: null };
    const debt = await showPayment(opened, { proof, language: languageOf(request) });
    return { status: 'success', data: { debt } };
  });
}

interface Payer {
  proof: PayerProof;
  ipAddress: string;
}

async function pay(opened: OpenedPayment, body: Static<typeof PayBody>, { proof, ipAddress }: Payer) {
  const { ctx, scope, orderId, debt } = opened;
  const { keep, billingDetails, fingerprint: shownFingerprint = null } = body;
  const method = await readMethod(opened, body);
  if (!debt) {
    if (!method) throw new Refusal('proof_required');
    return payOrder(ctx, scope, { orderId, method, shownFingerprint, ipAddress });
  }
  const isOwner = method !== null || (await isProved(ctx, scope, { ...debt, ...proof }));
  if (!isOwner) throw new Refusal('proof_required');
  await payOwed(ctx, scope, { ...debt, method, keeps: keep ?? false, billingDetails, ipAddress });
}

/** Null = the stored one. Throws method_not_offered for what the page does not show: a transfer would hold up dunning. */
async function readMethod(opened: OpenedPayment, body: Static<typeof PayBody>): Promise<ChargeMethod | null> {
  const nobody = { browser: null, signedInId: null };
  const option = body.payment?.option ?? 'card';
  const view = option === 'card' ? null : await showPayment(opened, { proof: nobody, language: null });
  const offered = view?.kind === 'owed' ? view : view?.purchase;
  const isOpen = view?.status === 'open';
  if (isOpen && option !== 'token' && !offered?.methods.includes(option))
    throw new Refusal('method_not_offered');
  const fields = offered?.processorFields ?? null;
  return toGivenMethod(body, { fields, isOpen, nowMs: opened.ctx.nowMs });
}
