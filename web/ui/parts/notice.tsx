import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AlertIcon } from './icons.tsx';

/** Tells what happened, where it happened, at once and aloud. */
export function Notice({ text, children }: { text: string; children?: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [text]);
  return (
    <div class="notice" role="alert" ref={box}>
      <AlertIcon />
      <p>{text}</p>
      {children}
    </div>
  );
}
