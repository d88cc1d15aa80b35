/** The operations of the portal and their shared shapes, in the order of the reference page. */
import type { TSchema } from 'typebox';
import type { Route } from '../http/route.ts';
import { PortalDeletion, PortalExport } from '../resources/portal/account.schema.ts';
import { LibraryItem, PortalDocument } from '../resources/portal/bought.schema.ts';
import { PortalDevice } from '../resources/portal/devices.schema.ts';
import { buyerComponents } from '../resources/portal/for-buyers.schema.ts';
import { OwnMethod } from '../resources/portal/methods.schema.ts';
import { BuyerSession, PortalFeatures, PortalStore } from '../resources/portal/portal.schema.ts';
import { BuyerSubscription, ChangePreview, PortalPlan } from '../resources/portal/subscriptions.schema.ts';
import { accountRoutes } from './account.routes.ts';
import { detailsRoutes } from './details.routes.ts';
import { portalLibraryRoutes } from './library.routes.ts';
import { portalOrderRoutes } from './orders.routes.ts';
import { overviewRoutes } from './overview.routes.ts';
import { ownMethodRoutes } from './payment-methods.routes.ts';
import { planChangeOfBuyerRoutes } from './plan-change.routes.ts';
import { portalSessionRoutes } from './session.routes.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { statementRoutes } from './statements.routes.ts';
import { portalSubscriptionRoutes } from './subscriptions.routes.ts';

export const portalRoutes: readonly Route[] = [
  ...signInRoutes,
  ...portalSessionRoutes,
  ...overviewRoutes,
  ...portalOrderRoutes,
  ...portalLibraryRoutes,
  ...portalSubscriptionRoutes,
  ...planChangeOfBuyerRoutes,
  ...ownMethodRoutes,
  ...detailsRoutes,
  ...accountRoutes,
  ...statementRoutes,
];

export const portalComponents: readonly TSchema[] = [
  ...buyerComponents,
  PortalFeatures,
  PortalStore,
  BuyerSession,
  PortalDevice,
  PortalDocument,
  LibraryItem,
  BuyerSubscription,
  PortalPlan,
  ChangePreview,
  OwnMethod,
  PortalExport,
  PortalDeletion,
];
