import { useEffect, useState } from 'react';

/** The token behind the `#`, which no log and no other site ever sees; it is taken out of the address at once. */
export function useFragment(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    if (window.location.hash !== '') {
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
    }
  }, []);
  return token;
}
