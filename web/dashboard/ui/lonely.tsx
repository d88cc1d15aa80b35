import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useIsInStore } from '../app/store.tsx';
import { useTitle } from './use-title.ts';

/** A page that only says how things stand: one ticket on the paper. */
export function Lonely(props: {
  title: string;
  text: string;
  to?: string;
  action?: string;
  children?: ReactNode;
}) {
  useTitle(props.title);
  // A page has one main part: within a store the frame draws it.
  const Whole = useIsInStore() ? 'div' : 'main';
  return (
    <Whole className="lonely">
      <div className="ticket-sheet">
        <h1>{props.title}</h1>
        <p className="soft">{props.text}</p>
        {props.children}
        {props.to && props.action ? (
          <p>
            <Link href={props.to}>{props.action}</Link>
          </p>
        ) : null}
      </div>
    </Whole>
  );
}
