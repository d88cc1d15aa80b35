import { useEffect, useState } from 'preact/hooks';

const SHOWN_MS = 2_000;

/** Copies a text and says so for a moment. Without the right to the clipboard it can still be selected by hand. */
export function useCopied(text: string): { isCopied: boolean; copy(): void } {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  return { isCopied, copy };
}
