/** Verbs of what cannot be taken back, or not easily: their commands ask. */
export const ASKS = /^(archive|cancel|refund|reset|remove|restore|revoke)/;
