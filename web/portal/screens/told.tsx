import type { ComponentChildren } from 'preact';
import { Go, Screen } from '../context.tsx';
import { p } from '../text.ts';

interface ToldProps {
  /** Of the subscription. */
  id: string;
  title: string;
  text: ComponentChildren;
}

/** How it stands, with nothing left to be done here. */
export function Told({ id, title, text }: ToldProps) {
  return (
    <Screen title={title}>
      <p role="status">{text}</p>
      <Go to={`/subscriptions/${id}`} className="secondary">
        {p('back')}
      </Go>
    </Screen>
  );
}
