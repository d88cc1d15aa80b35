import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isVisitable } from './places.ts';
import { useStore } from './store.tsx';

/** A link to what the member may look at; of what they may not, the words alone. */
export function PlaceLink(props: { href: string; className?: string; title?: string; children: ReactNode }) {
  const sight = useStore();
  const { href, ...rest } = props;
  return isVisitable(sight, href) ? <Link {...props} /> : <span {...rest} />;
}
