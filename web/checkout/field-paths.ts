import type { FormFields } from '../ui/view.ts';

const PATHS = [
  'email',
  'countryCode',
  'state',
  'postalCode',
  'companyName',
  'firstName',
  'lastName',
  'address',
  'city',
  'taxNumber',
  'discountCode',
  'card.number',
  'card.expiry',
  'card.cvc',
  'card.name',
  'consents.content',
  'consents.service',
];

/** Whether the page has a control that can show a message about this path of the API. */
export const hasFieldPath = (fields: FormFields, path: string): boolean =>
  PATHS.includes(path) ||
  path.startsWith('quantities.') ||
  fields.custom.some((field) => path === `customFields.${field.key}`);
