const TONES = 6;

/** A tile with the first letters of a name, where there is no picture. The tone stays the same for a name. */
export function Monogram({ name, className }: { name: string; className: string }) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '');
  const tone = [...name].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % TONES;
  return (
    <span class={`monogram tone-${tone} ${className}`} aria-hidden="true">
      {letters.join('').toUpperCase() || '·'}
    </span>
  );
}
