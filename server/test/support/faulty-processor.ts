/** Faults at the port to the processor: its answers come late, or are lost. The sandbox behind it stays itself. */
import type {
  PaymentProvider,
  RefundOutcome,
  RefundRequest,
} from '../../src/providers/payment/payment-provider.ts';
import type { TestApp } from './harness.ts';

export interface StalledCall {
  /** Resolves when the call is under way. */
  begun: Promise<void>;
  /** Lets it reach the processor. */
  release(): void;
}

/** The next charge is on its way until it is released: the processor has not seen it. Later ones pass. */
export function stallNextCharge({ service }: TestApp): StalledCall {
  const { sandbox } = service.payments;
  const { charge } = sandbox;
  const [begun, begin] = createGate();
  const [released, release] = createGate();
  sandbox.charge = async (request) => {
    sandbox.charge = charge;
    begin();
    await released;
    return charge(request);
  };
  return { begun, release };
}

/** The next charge never reaches the processor, and nobody is told. */
export function loseNextCharge({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const { charge } = sandbox;
  sandbox.charge = async () => {
    sandbox.charge = charge;
    throw new Error('the call was lost');
  };
}

/** The next charge reaches the processor, which decides on it; its answer is lost on the way back. */
export function loseNextAnswer({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const { charge } = sandbox;
  sandbox.charge = async (request) => {
    sandbox.charge = charge;
    await charge(request);
    throw new Error('the answer was lost');
  };
}

/** The next cancel is confirmed and comes to nothing: the processor takes the charge all the same. */
export function forgetNextCancel({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const { cancel } = sandbox;
  sandbox.cancel = async () => {
    sandbox.cancel = cancel;
    return { kind: 'cancelled' };
  };
}

/** The next charge takes other money than was asked for, and the processor's own books say so. */
export function takeOtherNext(
  { service }: TestApp,
  other: { amountMinor?: bigint; currency?: string },
): void {
  const { sandbox } = service.payments;
  const { charge } = sandbox;
  sandbox.charge = (request) => {
    sandbox.charge = charge;
    return charge({ ...request, ...other });
  };
}

/** The next look is told that the charge was declined, whatever becomes of it. */
export function declineNextLook({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const { lookUp } = sandbox;
  sandbox.lookUp = async () => {
    sandbox.lookUp = lookUp;
    const method = { type: 'card', brand: null, last4: null, card: null };
    const why = { decline: 'soft' as const, reason: 'card_declined', message: 'The card was declined.' };
    return { kind: 'declined', processorId: null, method, ...why };
  };
}

type Called = 'charge' | 'lookUp' | 'cancel';

/** Calls of one kind go through `fault`, which is given the real call, until what this answers is called. */
export function withFault<Name extends Called>(
  { service }: TestApp,
  name: Name,
  fault: (
    call: () => ReturnType<PaymentProvider[Name]>,
    chargeId: string,
  ) => ReturnType<PaymentProvider[Name]>,
): () => void {
  const { sandbox } = service.payments;
  const real = sandbox[name] as (request: { chargeId: string }) => ReturnType<PaymentProvider[Name]>;
  Object.assign(sandbox, {
    [name]: (request: { chargeId: string }) => fault(() => real(request), request.chargeId),
  });
  return () => Object.assign(sandbox, { [name]: real });
}

/** The next cancel of a charge has no answer. */
export function loseNextCancel({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const { cancel } = sandbox;
  sandbox.cancel = async () => {
    sandbox.cancel = cancel;
    throw new Error('the call was lost');
  };
}

type Refunding = (request: RefundRequest) => Promise<RefundOutcome>;

/** Runs `work` while refunds go through `fault`, which is given the real call; answers every request made. */
export async function withRefunds(
  { service }: TestApp,
  fault: (request: RefundRequest, refund: Refunding) => Promise<RefundOutcome>,
  work: () => Promise<void>,
): Promise<RefundRequest[]> {
  const { sandbox } = service.payments;
  const { refund } = sandbox;
  const requests: RefundRequest[] = [];
  sandbox.refund = (request) => {
    requests.push(request);
    return fault(request, refund);
  };
  try {
    await work();
  } finally {
    sandbox.refund = refund;
  }
  return requests;
}

function createGate(): [Promise<void>, () => void] {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

/** Every dispute from here on is of so much, and not of all that is left. Answers what ends it. */
export function disputeOnly({ service }: TestApp, disputed: { amountMinor: bigint; currency: string }) {
  const { sandbox } = service.payments;
  const { lookUpDisputes } = sandbox;
  sandbox.lookUpDisputes = async (reference) => {
    const found = await lookUpDisputes(reference);
    if (found.kind !== 'told') return found;
    return { ...found, disputes: found.disputes.map((dispute) => ({ ...dispute, disputed })) };
  };
  return () => {
    sandbox.lookUpDisputes = lookUpDisputes;
  };
}
