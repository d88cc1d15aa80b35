/** The product's, as its packages are published. */
export const PRODUCT_VERSION = '0.1.0';
