import type { ComponentType } from 'react';
import { Checkout } from './checkout.tsx';
import { Customer } from './customer.tsx';
import { Event } from './event.tsx';
import { Import } from './import.tsx';
import { Mail } from './mail.tsx';
import { Order } from './order.tsx';
import type { DetailKind } from './paths.ts';
import { Payment } from './payment.tsx';
import { Processor } from './processor.tsx';
import { Product } from './product.tsx';
import { Notice, Withdrawal } from './statement.tsx';
import { Subscription } from './subscription.tsx';
import { Webhook } from './webhook.tsx';

const DETAILS: Record<DetailKind, ComponentType<{ id: string }>> = {
  withdrawal: Withdrawal,
  notice: Notice,
  order: Order,
  payment: Payment,
  processor: Processor,
  import: Import,
  subscription: Subscription,
  customer: Customer,
  product: Product,
  checkout: Checkout,
  webhook: Webhook,
  event: Event,
  mail: Mail,
};

export default function Details({ kind, id }: { kind: DetailKind; id: string }) {
  const Shown = DETAILS[kind];
  return <Shown key={id} id={id} />;
}
