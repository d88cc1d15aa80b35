/** Imports, as tests upload, plan and commit them. */
import { expect } from 'vitest';
import type { Answer, TestApp, TestStore } from './harness.ts';

export const META = {
  kind: 'meta',
  format: 'counterfoil-import',
  version: 1,
  source: 'jsonl',
  currency: 'EUR',
};

export type FileLine = Record<string, unknown>;

export const toFile = (lines: readonly FileLine[], meta: FileLine = META): string =>
  [meta, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is compared with the description.
export type Shown = any;

export interface Importing {
  upload(file: string, headers?: Record<string, string>): Promise<Answer>;
  show(id: string): Promise<Shown>;
  /** The import with its plan. */
  plan(lines: readonly FileLine[], meta?: FileLine): Promise<Shown>;
  commit(planned: Shown, body?: Record<string, unknown>): Promise<Answer>;
  /** Planned and committed, to its end. */
  bringIn(lines: readonly FileLine[], body?: Record<string, unknown>): Promise<Shown>;
  activate(id: string, body?: Record<string, unknown>): Promise<Answer>;
}

export function createImporting(app: TestApp, store: TestStore = app.test): Importing {
  const settle = async (id: string): Promise<Shown> => {
    for (let tries = 0; ; tries += 1) {
      expect(tries).toBeLessThan(100);
      await app.wired.worker.runDue();
      const shown = await importing.show(id);
      if (!['planning', 'committing'].includes(shown.status)) return shown;
    }
  };
  const importing: Importing = {
    upload: (file, headers = {}) =>
      store.request('POST', '/v0/imports/create', {
        body: Buffer.from(file),
        headers: { 'content-type': 'application/jsonl', ...headers },
      }),
    show: async (id) => (await store.get(`/v0/imports/${id}`)).body.data.import,
    async plan(lines, meta) {
      const { status, body } = await importing.upload(toFile(lines, meta));
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
      const planned = await settle(body.data.import.id);
      expect(planned).toMatchObject({ status: 'planned', reason: null });
      return planned;
    },
    commit: ({ id, plan }, body = {}) => store.post(`/v0/imports/${id}/commit`, { plan: plan.hash, ...body }),
    async bringIn(lines, body) {
      const planned = await importing.plan(lines);
      const answer = await importing.commit(planned, body);
      expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
      const done = await settle(planned.id);
      expect(done).toMatchObject({ status: 'committed', reason: null });
      return done;
    },
    activate: (id, body = {}) => store.post(`/v0/imports/${id}/activate`, body),
  };
  return importing;
}

/** Of a shop that sells a plan and a download, each line by its ref. */
export const PLAN_LINES: readonly FileLine[] = [
  { kind: 'product', ref: 'prod_club', type: 'Subscription', name: 'Club' },
  { kind: 'variant', ref: 'var_pro', productRef: 'prod_club', name: 'Pro' },
  {
    ...{
      kind: 'offer',
      ref: 'price_month',
      productRef: 'prod_club',
      variantRef: 'var_pro',
      name: 'Pro monthly',
    },
    ...{ price: 1200, currency: 'EUR', interval: { unit: 'month', count: 1 } },
  },
  {
    ...{
      kind: 'offer',
      ref: 'price_year',
      productRef: 'prod_club',
      name: 'Yearly',
      price: 12_000,
      currency: 'EUR',
    },
    interval: { unit: 'year', count: 1 },
  },
  { kind: 'product', ref: 'prod_game', type: 'SoftwareKey', name: 'Nebula' },
  { kind: 'offer', ref: 'price_game', productRef: 'prod_game', price: 3000, currency: 'EUR' },
];

export const customer = (ref: string, more: FileLine = {}): FileLine => ({
  ...{ kind: 'customer', ref, email: `${ref}@example.com`, name: `Buyer ${ref}` },
  // Not in the EU: no tax of ours is added to what they pay there.
  billingDetails: { countryCode: 'CH' },
  ...more,
});

export const method = (ref: string, customerRef: string): FileLine => ({
  ...{ kind: 'payment_method', ref, customerRef, processor: 'stripe' },
  ...{ processorCustomer: `cus_${customerRef}`, processorMethod: `pm_${ref}`, isDefault: true },
});

export const subscription = (ref: string, more: FileLine): FileLine => ({
  ...{ kind: 'subscription', ref, status: 'active', currency: 'EUR', customerRef: ref },
  items: [{ offerRef: 'price_month', quantity: 1, unitPrice: 1200 }],
  ...more,
});
