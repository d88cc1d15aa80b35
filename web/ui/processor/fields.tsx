import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../locale.tsx';
import type { ProcessorFields } from '../view.ts';
import { type MountedFields, mountFields } from './stripe-fields.ts';
import './fields.css';

/** Makes a token of what is typed. */
export type ReadToken = MountedFields['read'];

export interface FieldsProps {
  fields: ProcessorFields;
  /** Told how to read them as long as they stand there. */
  onFields(read: ReadToken | null): void;
  onFailure(): void;
}

/** A place for the fields of a processor, kept in step with the price. */
export function Fields({ fields, onFields, onFailure }: FieldsProps) {
  const { language } = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(fields);
  latest.current = fields;
  const [mounted, setMounted] = useState<MountedFields | null>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const where = place.current;
    if (!where) return;
    let isGone = false;
    let made: MountedFields | null = null;
    mountFields(where, latest.current, { locale: language, onReady: () => setReady(true), onFailure }).then(
      (fresh) => {
        if (isGone) return fresh.destroy();
        made = fresh;
        setMounted(fresh);
        onFields(fresh.read);
      },
      onFailure,
    );
    return () => {
      isGone = true;
      made?.destroy();
      onFields(null);
    };
  }, [fields.script, fields.publishableKey]);
  useEffect(() => mounted?.show(fields), [mounted, fields]);
  return <div ref={place} class="processor-fields" aria-busy={!isReady} />;
}
