import { PRODUCT_VERSION } from '../domain/version.ts';

/** How we name ourselves to the receivers of requests. */
export const USER_AGENT = `Counterfoil/${PRODUCT_VERSION}`;
