import { useState } from 'preact/hooks';
import { Monogram } from './monogram.tsx';

/** The picture of a product, or its letters where there is none or it does not load. */
export function Cover({
  name,
  url,
  className = '',
}: {
  name: string;
  url: string | null;
  className?: string;
}) {
  const [isBroken, setBroken] = useState(false);
  if (!url || isBroken) return <Monogram name={name} className={`cover ${className}`} />;
  return (
    <img
      class={`cover ${className}`}
      src={url}
      alt=""
      width="64"
      height="64"
      onError={() => setBroken(true)}
    />
  );
}
