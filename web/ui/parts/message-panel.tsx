import type { ComponentChildren } from 'preact';
import { AlertIcon, SealIcon } from './icons.tsx';

export interface MessagePanelProps {
  heading: string;
  text: string;
  /** The seal of what is done; the alert otherwise. */
  sign?: 'seal' | 'alert';
  /** What can be done about it. */
  children?: ComponentChildren;
}

/** A page that has nothing to do but to say how things stand. */
export function MessagePanel({ heading, text, sign = 'alert', children }: MessagePanelProps) {
  return (
    <section class="message">
      {sign === 'seal' ? (
        <SealIcon />
      ) : (
        <span class="message-sign">
          <AlertIcon />
        </span>
      )}
      <h1>{heading}</h1>
      <p>{text}</p>
      {children}
    </section>
  );
}
