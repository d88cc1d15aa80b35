/** What can be begun from anywhere: the forms that lists open by their button. */
import type { TextKey } from '../ui/texts.ts';

export interface PaletteAction {
  form: string;
  label: TextKey;
  /** Who may not write it does not see it. */
  area: string;
  onlyTest?: boolean;
}

export const ACTIONS: readonly PaletteAction[] = [
  { form: 'product', label: 'form.createProduct', area: 'products' },
  { form: 'discount', label: 'form.createDiscount', area: 'discounts' },
  { form: 'checkout', label: 'form.createCheckout', area: 'elements' },
  { form: 'customer', label: 'form.createCustomer', area: 'users' },
  { form: 'custom-field', label: 'form.createCustomField', area: 'custom-fields' },
  { form: 'file', label: 'form.uploadFile', area: 'files' },
  { form: 'key-pair', label: 'form.createKeyPair', area: 'api-keys' },
  { form: 'webhook', label: 'form.createWebhook', area: 'webhooks' },
  { form: 'invitation', label: 'form.inviteMember', area: 'members' },
  { form: 'test-purchase', label: 'form.testPurchase', area: 'orders', onlyTest: true },
];
