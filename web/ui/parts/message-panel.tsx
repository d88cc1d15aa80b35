import { AlertIcon } from './icons.tsx';

export interface MessagePanelProps {
  heading: string;
  text: string;
}

/** A page that has nothing to do but to say how things stand. */
export function MessagePanel({ heading, text }: MessagePanelProps) {
  return (
    <section class="message">
      <span class="message-sign">
        <AlertIcon />
      </span>
      <h1>{heading}</h1>
      <p>{text}</p>
    </section>
  );
}
