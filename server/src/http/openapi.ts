/**
 * The machine-readable description, made from the schemas that validate and serialise, and its reference page. What is
 * served is what `npm run docs` has written of it; `npm run check` compares the two.
 */
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { joinExamples, readDescription } from './description/kept-description.ts';
import { refineDescription } from './description/refine.ts';
import { registerDocsPages } from './docs/docs-pages.ts';
import { keptJson } from './docs/kept-json.ts';

export async function registerDescription(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'API v0',
        version: '0.3.5',
        ...PRODUCT,
        description: ABOUT,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          publicKey: { type: 'apiKey', in: 'header', name: 'x-svc-public-key' },
          secretKey: { type: 'apiKey', in: 'header', name: 'x-svc-secret-key' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'cf_session',
            description:
              'Of an account that has signed in; `__Host-cf_session` over https. What is asked in a store needs the ' +
              'headers `x-svc-workspace` and `x-svc-mode` (`live` or `test`), too.',
          },
          portalSession: {
            type: 'apiKey',
            in: 'cookie',
            name: 'cf_store',
            description:
              'Of a buyer who has signed in to a portal: `cf_` and 8 digits that tell the stores of a host apart, ' +
              '`__Host-cf_…` over https. The header `x-svc-store` says which store is meant: `{slug}` or `{slug}/test`.',
          },
          portalToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'The `token` of a session that the merchant opened for a buyer.',
          },
        },
      },
    },
    hideUntagged: true,
    transformObject: (made) =>
      refineDescription('openapiObject' in made ? made.openapiObject : made.swaggerObject),
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, i) => String(json.$id ?? `Schema${i}`) },
  });
  const files = {
    '/openapi.json': () => readDescription(publicUrl).description,
    '/openapi-examples.json': () => readDescription(publicUrl).examples,
    // The reference page shows all of it at once.
    '/docs/openapi.json': () => joinExamples(readDescription(publicUrl)),
  };
  for (const [path, make] of Object.entries(files)) {
    const send = keptJson(make);
    app.get(path, { schema: { hide: true } }, async (_request, reply) => send(reply));
  }
  await app.register(async (docs) => registerDocsPages(docs, publicUrl));
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      // The reference is one script of ours that renders the description; it may load nothing from elsewhere.
      reply.header('content-security-policy', REFERENCE_POLICY);
    });
    let reference: Promise<FastifyInstance> | null = null;
    for (const url of ['/docs', '/docs/*']) {
      docs.get(url, { schema: { hide: true } }, async (request, reply) => {
        reference ??= openReference();
        const { method, headers } = request;
        // The method is GET or HEAD, as the route says.
        const asked = { method: method as 'GET', url: request.url, headers };
        const { statusCode, headers: answered, rawPayload } = await (await reference).inject(asked);
        if (statusCode === 404) return reply.callNotFound();
        for (const name of SHOWN_HEADERS)
          if (answered[name] !== undefined) reply.header(name, answered[name]);
        return reply.code(statusCode).send(rawPayload);
      });
    }
  });
}

/** The API's own version stays; the product's goes on. */
const PRODUCT = { 'x-product-version': PRODUCT_VERSION };

const ABOUT =
  'Sales and billing of digital goods. [Guides](/docs/guides) lead through it. Money is integer minor units, times are Unix milliseconds, ids are UUIDs.\n\n' +
  'The samples take the keys of a pair from the environment: `export COUNTERFOIL_PUBLIC_KEY=pub_test_… ' +
  'COUNTERFOIL_SECRET_KEY=sec_test_…`; put an id of yours where they show one.\n\n' +
  'A public key must not be put into a page: of an open pair it alone reads orders, payments and buyers. Pairs of live ' +
  'mode are closed unless they were made open: their public key alone reads nothing.';

/** What each group of operations is about, for readers of the description; a linter finds a missing one. */
const TAGS: Readonly<Record<string, string>> = {
  products: 'What is sold.',
  variants: 'Editions of a product.',
  plans: 'Variants of products of type Subscription.',
  offers: 'A product, or one of its variants, at a price.',
  'offer-keys': 'Licence keys in stock, each sold once.',
  discounts: 'Coupon codes, and sales that apply by themselves.',
  elements: 'Checkout elements: links and frames that sell one or more offers.',
  'custom-fields': 'Questions that buyers answer at the checkout.',
  files: 'Pictures of the catalogue, and what buyers download.',
  orders: 'What buyers bought, and refunds of it.',
  payments: 'Money that is asked for, taken or given back.',
  refunds: 'Money that went back to buyers.',
  processors: 'The accounts by which a store takes money.',
  disputes: 'Charges that a buyer’s bank asks back.',
  withdrawals: 'What buyers withdraw from.',
  'cancellation-notices': 'Contracts that buyers cancel without signing in.',
  invoices: 'Invoices and credit notes.',
  reports: 'Figures of the store, with the rows that they are sums of.',
  subscriptions: 'What is billed again each interval.',
  'test-purchases': 'Purchases without a browser, in test mode.',
  'test-clock': 'The clock of a test store, which can be moved forward.',
  webhooks: 'Addresses that are told of events, signed.',
  listeners: 'Webhooks without an address: a machine asks for what they would get.',
  events: 'What happened, as webhooks tell it.',
  mails: 'What was written to buyers and to the merchant.',
  users: 'Buyers, with their details and what they own.',
  tax: 'What tax a sale would bear.',
  settings: 'How the store behaves.',
  ledger: 'The books in double entry, and their proof.',
  search: 'Whatever bears a word, number or id.',
  timeline: 'What happened to something, in order.',
  notes: 'What members have noted at something.',
  views: 'Filters, columns and order of a list, kept by name.',
  exports: 'Files of lists, written in the background.',
  imports: 'What is brought along from another service.',
  changes: 'What was written since a moment.',
  'api-keys': 'Key pairs of the store.',
  whoami: 'Whose keys these are.',
  'device-requests': 'Command lines that ask to be let in.',
  'request-log': 'Calls of the last days, for developers.',
  'audit-log': 'Who wrote what, with before and after.',
  workspaces: 'The workspaces of an account.',
  workspace: 'One workspace: its name, owner and state.',
  members: 'Who may do what in a workspace.',
  invitations: 'Members to be.',
  installation: 'The service as a whole, for whoever runs it.',
  session: 'Signing in and out of the dashboard.',
  sessions: 'Where an account is signed in.',
  portal: 'What buyers do at a store’s portal: their purchases, subscriptions, cards and details.',
  'checkout-sessions': 'Checkouts that a merchant prepares for one buyer.',
  'portal-sessions': 'Ways into the portal that a merchant opens for a buyer.',
  account: 'One’s own account: how one proves who one is.',
  'password-reset': 'A new password, by a link.',
};

const SHOWN_HEADERS = ['content-type', 'location', 'cache-control', 'etag'];

/** Loaded at its first request: few ask for it, and it is a quarter of what the service would hold in memory. */
async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/docs/openapi.json',
      title: 'Counterfoil API',
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      // These lead to services of the page's maker: a self-hosted reference stays on its own host.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    },
  });
  await app.ready();
  return app;
}

const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";
