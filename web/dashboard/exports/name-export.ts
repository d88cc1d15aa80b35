/** What a file is called that is made of a list, of a customer or of the store. */
import type { Locale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

/** Lists that the API calls otherwise than the navigation, and what is no list. */
const NAMES: Readonly<Record<string, TextKey>> = {
  users: 'list.customers',
  elements: 'list.checkouts',
  mails: 'list.mail',
  members: 'list.team',
  offers: 'column.offers',
  store: 'exports.ofStore',
  user: 'exports.ofUser',
};

/** `resource` is one that the API takes. */
export const nameExport = (resource: string, { t }: Pick<Locale, 't'>): string =>
  t(NAMES[resource] ?? (`list.${resource}` as TextKey));
