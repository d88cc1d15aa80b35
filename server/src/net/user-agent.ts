/** How we name ourselves to the receivers of requests. */
export const USER_AGENT = 'Counterfoil/0.1.0';
