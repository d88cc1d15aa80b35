/** Opens what people open: the buyer's pages, the dashboard, files, and what is neither a page nor an operation. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { registerOauth } from '../api/oauth.ts';
import { registerProcessorNotifications } from '../api/processor-notifications.ts';
import type { Service } from '../context.ts';
import type { AppOptions } from '../http/app.ts';
import type { Authenticator } from '../http/authenticate.ts';
import { registerMcp } from '../mcp/mcp.door.ts';
import { registerAssets } from '../pages/assets.pages.ts';
import { registerCardPages } from '../pages/card.pages.ts';
import { registerCardRoutes } from '../pages/card.routes.ts';
import { registerCheckoutPages } from '../pages/checkout.pages.ts';
import { registerCheckoutPreview } from '../pages/checkout-preview.pages.ts';
import { registerCheckoutRoutes } from '../pages/checkout-sessions.routes.ts';
import { registerDashboard } from '../pages/dashboard.pages.ts';
import { registerEmbed } from '../pages/embed.pages.ts';
import { registerFilePages } from '../pages/files.pages.ts';
import { registerInvoicePages } from '../pages/invoices.pages.ts';
import { registerMailFrames } from '../pages/mail-frame.pages.ts';
import { registerDebtRoutes } from '../pages/owed-payments.routes.ts';
import { registerPayPages } from '../pages/pay.pages.ts';
import { registerPortalPages } from '../pages/portal.pages.ts';
import { registerPortalMethodRoutes, registerPortalMethodStops } from '../pages/portal-methods.pages.ts';
import { registerPortalOpening } from '../pages/portal-opening.pages.ts';
import { createDashboardRenderer } from '../pages/render-dashboard.ts';
import { createPageRenderer, type PageRenderer } from '../pages/render-page.ts';
import { registerSandboxAuthentication } from '../pages/sandbox-authentication.pages.ts';
import { createLinkSayer, preparePages } from '../pages/send-page.ts';
import { registerStatementPages } from '../pages/statements.pages.ts';
import { registerWellKnown } from '../pages/well-known.pages.ts';
import { registerMetrics } from './watching/metrics-pages.ts';
import type { OpenMetrics } from './watching/open-metrics.ts';

/** The web build, beside the server's folder both as source and as build. */
const ASSETS = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

interface Opening {
  service: Service;
  authenticator: Authenticator;
  /** Null = nobody measures. */
  metrics: OpenMetrics | null;
}

/** What is no operation of the API, and how whoever opens a link hears that there is nothing behind it. */
export function openPages(opening: Opening): Required<Pick<AppOptions, 'extend' | 'sayInPage'>> {
  const renderPage = createPageRenderer({ assetsDir: ASSETS });
  return {
    sayInPage: createLinkSayer(renderPage),
    async extend(web) {
      const { service, metrics } = opening;
      const { metricsToken: token } = service.config;
      if (metrics && token !== null) registerMetrics(web, { metrics, token });
      await registerPages(web, { ...opening, renderPage });
    },
  };
}

/** What people open: the buyer's pages and what they ask, the dashboard, and files. */
async function registerPages(
  web: FastifyInstance,
  { service, authenticator, renderPage }: Opening & { renderPage: PageRenderer },
): Promise<void> {
  const renderDashboard = createDashboardRenderer({ assetsDir: ASSETS });
  await web.register(registerAssets, { root: ASSETS });
  await web.register(registerEmbed, { root: `${ASSETS}embed/`, publicUrl: service.config.publicUrl });
  await web.register(async (api) => registerCheckoutRoutes(api, service));
  await web.register(async (api) => registerDebtRoutes(api, service));
  await web.register(async (api) => registerCardRoutes(api, service));
  await web.register(async (api) => registerPortalMethodRoutes(api, service));
  await web.register(async (inbound) => registerProcessorNotifications(inbound, service));
  await web.register(async (oauth) => registerOauth(oauth, service));
  await web.register(async (tools) => registerMcp(tools, service));
  await web.register(async (pages) => {
    preparePages(pages, { service, renderPage });
    registerCheckoutPages(pages, { service, renderPage });
    registerCheckoutPreview(pages, { service, renderPage, authenticator });
    registerPayPages(pages, { service, renderPage });
    registerCardPages(pages, { service, renderPage });
    registerWellKnown(pages, service);
    registerStatementPages(pages, { service, renderPage });
    registerPortalPages(pages, { service, renderPage });
    registerPortalOpening(pages, { service, renderPage });
    registerPortalMethodStops(pages, service);
    registerSandboxAuthentication(pages, { service, renderPage });
  });
  await web.register(registerDashboard, { renderDashboard });
  await web.register(async (frames) => registerMailFrames(frames, { service, authenticator }));
  await web.register(async (files) => registerFilePages(files, service));
  await web.register(async (files) => registerInvoicePages(files, service));
}
