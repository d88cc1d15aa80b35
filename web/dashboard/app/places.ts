/** All places of a store, in the order of the navigation: what the address, the menu, the palette and the keys go by. */
import type { TextKey } from '../ui/texts.ts';

export interface Place {
  /** Below the store's base, without a slash in front. */
  path: string;
  label: TextKey;
  /** Who may not read it has no such place; null = everybody's. */
  area: string | null;
  /** Places that only the test store has. */
  onlyTest?: boolean;
}

export interface Section {
  id: string;
  label: TextKey;
  /** The key that follows `g`. */
  key: string;
  places: Place[];
}

const place = (path: string, label: TextKey, area: string | null): Place => ({ path, label, area });

export const SECTIONS: readonly Section[] = [
  { id: 'home', label: 'nav.home', key: 'h', places: [place('', 'nav.home', null)] },
  {
    id: 'orders',
    label: 'nav.orders',
    key: 'o',
    places: [
      place('orders', 'list.orders', 'orders'),
      place('orders/payments', 'list.payments', 'payments'),
      place('orders/refunds', 'list.refunds', 'refunds'),
      place('orders/disputes', 'list.disputes', 'refunds'),
      place('orders/withdrawals', 'list.withdrawals', 'withdrawals'),
      place('orders/cancellation-notices', 'list.cancellation-notices', 'withdrawals'),
    ],
  },
  {
    id: 'subscriptions',
    label: 'nav.subscriptions',
    key: 's',
    places: [place('subscriptions', 'list.subscriptions', 'subscriptions')],
  },
  {
    id: 'customers',
    label: 'nav.customers',
    key: 'c',
    places: [place('customers', 'list.customers', 'users')],
  },
  {
    id: 'catalogue',
    label: 'nav.catalogue',
    key: 'p',
    places: [
      place('catalogue/products', 'list.products', 'products'),
      place('catalogue/discounts', 'list.discounts', 'discounts'),
      place('catalogue/checkouts', 'list.checkouts', 'elements'),
      place('catalogue/files', 'list.files', 'files'),
      place('catalogue/custom-fields', 'list.custom-fields', 'custom-fields'),
    ],
  },
  {
    id: 'finance',
    label: 'nav.finance',
    key: 'f',
    places: [
      place('finance/invoices', 'list.invoices', 'invoices'),
      place('finance/ledger', 'list.ledger', 'ledger'),
      place('finance/tax', 'tax.title', 'tax'),
      place('finance/reports', 'reports.title', 'reports'),
    ],
  },
  { id: 'mail', label: 'nav.mail', key: 'm', places: [place('mail', 'list.mail', 'mails')] },
  {
    id: 'developers',
    label: 'nav.developers',
    key: 'd',
    places: [
      place('developers/api-keys', 'list.api-keys', 'api-keys'),
      place('developers/webhooks', 'list.webhooks', 'webhooks'),
      place('developers/events', 'list.events', 'events'),
      place('developers/requests', 'list.requests', 'request-log'),
      { ...place('developers/test-clock', 'clock.title', 'test-clock'), onlyTest: true },
    ],
  },
  {
    id: 'settings',
    label: 'nav.settings',
    key: ',',
    places: [
      place('settings/business', 'settings.business', 'settings'),
      place('settings/branding', 'settings.branding', 'settings'),
      place('settings/tax', 'settings.tax', 'settings'),
      place('settings/numbering', 'settings.numbering', 'settings'),
      place('settings/dunning', 'settings.dunning', 'settings'),
      place('settings/checkout', 'settings.checkout', 'settings'),
      place('settings/portal', 'settings.portal', 'settings'),
      place('settings/consumer', 'settings.consumer', 'settings'),
      place('settings/payments', 'settings.payments', 'processors'),
      place('settings/imports', 'list.imports', 'imports'),
      place('settings/exports', 'list.exports', 'exports'),
      place('settings/notifications', 'settings.notifications', 'members'),
      place('settings/team', 'list.team', 'members'),
      place('settings/security', 'settings.security', 'workspace'),
      place('settings/audit-log', 'list.audit-log', 'audit-log'),
      place('settings/workspace', 'settings.workspace', 'workspace'),
    ],
  },
];

export interface Sight {
  isTest: boolean;
  may(area: string): boolean;
}

export const isOpen = (sight: Sight, { area, onlyTest }: Place): boolean =>
  (area === null || sight.may(area)) && (!onlyTest || sight.isTest);

/** The sections that a member sees, each with the places that they may read. */
export function listOpen(sight: Sight): Section[] {
  return SECTIONS.map((section) => ({
    ...section,
    places: section.places.filter((one) => isOpen(sight, one)),
  })).filter(({ places }) => places.length > 0);
}

/** Where an address leads that names a section alone, as one that was cut short does. */
export function firstOf(path: string, sight: Sight): Place | undefined {
  return listOpen(sight).find(({ id }) => `/${id}` === path)?.places[0];
}

/** The place that an address lies in: the one with the longest path that begins it. */
export function findPlace(path: string): { section: Section; place: Place } | null {
  const wanted = path.replace(/^\/+|\/+$/g, '');
  let found: { section: Section; place: Place } | null = null;
  for (const section of SECTIONS) {
    for (const one of section.places) {
      const fits = one.path === '' ? wanted === '' : wanted === one.path || wanted.startsWith(`${one.path}/`);
      if (fits && (!found || one.path.length > found.place.path.length)) found = { section, place: one };
    }
  }
  return found;
}

/** Of no section: of whoever is signed in, and of the installation. */
const OF_NO_STORE = /^\/(account\/[a-z]+|installation)\/?$/;

/**
 * Where somebody stands once they change to the other store: an object of one is not in the other, the list that it
 * stands in is; and what they may not see there gives way to the first of its section that they may.
 */
export function placeInOther(path: string, sight: Sight): string {
  if (OF_NO_STORE.test(path)) return path;
  const here = findPlace(path);
  if (!here) return '';
  const place = isOpen(sight, here.place) ? here.place : firstOf(`/${here.section.id}`, sight);
  return place && place.path !== '' ? `/${place.path}` : '';
}

/** Whether what lies at an address is the member's to look at; an address that is no place is anybody's. */
export function isVisitable(sight: Sight, path: string): boolean {
  const here = findPlace(path.split(/[?#]/)[0] ?? '');
  return here === null || isOpen(sight, here.place);
}
