/** In which order guides are read: what stands beside every page, and what `llms.txt` lists. */
import type { DocPage, Library } from './library.ts';

export interface Group {
  title: string;
  pages: readonly DocPage[];
}

const GROUPS: ReadonlyArray<readonly [title: string, names: readonly string[]]> = [
  ['Start', ['quick-start', 'a-year-in-a-minute']],
  [
    'Sell',
    [
      'sell-a-download',
      'sell-game-keys',
      'subscriptions-with-a-trial',
      'discounts',
      'custom-fields',
      'tax-and-invoices',
    ],
  ],
  [
    'Checkout',
    [
      'checkout-links',
      'checkout-in-your-page',
      'checkout-in-react',
      'checkout-in-wordpress',
      'checkout-in-woocommerce',
    ],
  ],
  ['After the sale', ['webhooks', 'give-access', 'refunds-and-disputes', 'idempotency', 'assistants']],
  [
    'Move here',
    ['leave-another-service', 'leave-stripe', 'leave-paddle', 'leave-lemon-squeezy', 'leave-gumroad'],
  ],
  ['Go live', ['before-you-go-live', 'go-live-with-stripe', 'deploy']],
  [
    'Run it',
    [
      'configuration',
      'upgrade',
      'versions',
      'scale',
      'connections-and-poolers',
      'several-hosts-and-failover',
      'spread',
      'files-on-more-than-one-machine',
      'restore-the-drill',
      'traces',
    ],
  ],
];

/** The guides in their groups; one that stands in none comes last, so that none is lost. */
export function listGroups({ pages, find }: Library): Group[] {
  const named = new Set(GROUPS.flatMap(([, names]) => names));
  const groups = GROUPS.map(([title, names]) => ({
    title,
    pages: names.flatMap((name) => find('guides', name) ?? []),
  }));
  const others = pages.filter(({ kind, name }) => kind === 'guides' && !named.has(name));
  return [...groups, { title: 'More', pages: others }].filter((group) => group.pages.length > 0);
}

/** Where a page is read by people; its twin in Markdown has the same address and `.md`. */
export const toUrl = ({ path }: DocPage): string => path.replace(/\.md$/, '');
