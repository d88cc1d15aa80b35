import { cloneElement, type ReactElement, type Ref, useEffect, useRef, useState } from 'react';

/**
 * A menu that is loaded with the first press on its button draws the button anew: it takes the focus first, and opens
 * then, so that the menu knows where the focus goes back to.
 */
export function useFirstPress(button: ReactElement) {
  const [opened, setOpened] = useState(false);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    ref.current?.focus();
    setOpened(true);
  }, []);
  // A button takes a ref.
  const target = cloneElement(button as ReactElement<{ ref: Ref<HTMLElement> }>, { ref });
  return { target, menu: { opened, onChange: setOpened } };
}
