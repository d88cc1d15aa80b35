/** What an order is of, by its items: the first of these that one of them has. */
export const FULFILMENTS = ['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'] as const;
export type Fulfilment = (typeof FULFILMENTS)[number];
