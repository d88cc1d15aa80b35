import { useId } from 'preact/hooks';
import type { FieldErrors } from '../../ui/form.ts';
import type { ConsentBox } from '../../ui/view.ts';

interface ConsentBoxesProps {
  boxes: ConsentBox[];
  ticked: ReadonlySet<ConsentBox['kind']>;
  errors: FieldErrors;
  onTick(kind: ConsentBox['kind'], isTicked: boolean): void;
}

/** What a consumer agrees to, in the server's own words: those that are kept and mailed. Nothing is ticked for them. */
export function ConsentBoxes({ boxes, ticked, errors, onTick }: ConsentBoxesProps) {
  const id = useId();
  return (
    <section class="consents">
      {boxes.map(({ kind, text, language }) => {
        const error = errors[`consents.${kind}`];
        const errorId = `${id}-${kind}`;
        return (
          <div class="consent" key={kind}>
            <label class="check">
              <input
                type="checkbox"
                name={`consents.${kind}`}
                checked={ticked.has(kind)}
                aria-invalid={error ? 'true' : undefined}
                aria-describedby={error ? errorId : undefined}
                onChange={(event) => onTick(kind, event.currentTarget.checked)}
              />
              <span lang={language}>{text}</span>
            </label>
            {error && (
              <p class="error" id={errorId}>
                {error}
              </p>
            )}
          </div>
        );
      })}
    </section>
  );
}
