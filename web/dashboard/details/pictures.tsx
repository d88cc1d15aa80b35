/** A product's pictures in their order: the first is its cover, the others its gallery. */
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react';
import { ApiError, call, newKey } from '../api/client.ts';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Part } from './detail.tsx';

interface Picture {
  value: string;
  blurHash: string | null;
}

/** By what each picture is, and not by its place: others may have moved them meanwhile. */
type Change = (there: readonly Picture[]) => Picture[];

/** Whether a picture can be seen here: no other site is ever asked for one, and the file of one of ours may be gone. */
export function usePicture(url: string): { isShown: boolean; onError: () => void } {
  const [gone, setGone] = useState<string | null>(null);
  const isOurs = url.startsWith(`${window.location.origin}/`);
  return { isShown: isOurs && gone !== url, onError: () => setGone(url) };
}

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

function toPictures(product: Row): Picture[] {
  const cover = textOf(product, 'cover');
  const hash = textOf(product, 'coverBlurHash') || null;
  const gallery = rowsOf(product, 'gallery').map((one) => ({
    value: textOf(one, 'value'),
    blurHash: textOf(one, 'blurHash') || null,
  }));
  return cover === '' ? gallery : [{ value: cover, blurHash: hash }, ...gallery];
}

/** Its address stands where it can't be seen. */
function OnePicture({ url, name }: { url: string; name: string }) {
  const { isShown, onError } = usePicture(url);
  return isShown ? <img src={url} alt={name} onError={onError} /> : <span className="cut">{url}</span>;
}

export function Pictures({ product }: { product: Row }) {
  const { t } = useLocale();
  const { store, may } = useStore();
  const write = useWrite();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const pictures = toPictures(product);
  const canEdit = may('products', 'write') && may('files', 'write');
  if (!canEdit && pictures.length === 0) return null;
  const send = (of: Row, change: Change) => {
    const [cover, ...gallery] = change(toPictures(of));
    return write.mutateAsync({
      method: 'PATCH',
      path: `/v0/products/${textOf(product, 'id')}/update`,
      body: { cover: cover?.value ?? null, coverBlurHash: cover?.blurHash ?? null, gallery },
      ifMatch: `"${textOf(of, 'version')}"`,
    });
  };
  const save = async (change: Change) => {
    setError(null);
    try {
      await send(product, change).catch((failed: unknown) => {
        // Somebody else was faster: the same is done to the pictures that they have left.
        const now = failed instanceof ApiError && failed.code === 'edit_conflict' && failed.facts[0]?.current;
        if (!now) throw failed;
        return send(now as Row, change);
      });
    } catch (failed) {
      setError(failed instanceof ApiError ? failed.message : String(failed));
    }
  };
  const upload = async (files: readonly File[]) => {
    setBusy(true);
    setError(null);
    const added: Picture[] = [];
    try {
      for (const file of files) {
        const { file: kept } = await call<{ file: Row }>({
          store,
          method: 'POST',
          path: '/v0/files/upload',
          body: file,
          idempotencyKey: newKey(),
        });
        if (textOf(kept, 'url') === '') setError(t('pictures.noPicture', { name: file.name }));
        else added.push({ value: textOf(kept, 'url'), blurHash: textOf(kept, 'blurHash') || null });
      }
    } catch (failed) {
      setError(failed instanceof ApiError ? failed.message : String(failed));
    }
    if (added.length > 0) await save((there) => [...there, ...added]);
    setBusy(false);
  };
  const move = (from: number, to: number) => {
    const moved = pictures[from]?.value;
    void save((there) => {
      const next = [...there];
      const at = next.findIndex(({ value }) => value === moved);
      if (at >= 0) next.splice(to, 0, ...next.splice(at, 1));
      return next;
    });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) void upload([...event.dataTransfer.files]);
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    void upload([...(event.currentTarget.files ?? [])]);
    event.currentTarget.value = '';
  };
  return (
    <Part id="pictures" title={t('pictures.title')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drag has the buttons. */}
      <div
        className="pictures"
        aria-busy={isBusy || write.isPending}
        onDragOver={(event) => canEdit && event.preventDefault()}
        onDrop={(event) => canEdit && drop(event)}
      >
        <ol>
          {pictures.map(({ value }, index) => (
            <li
              key={value}
              draggable={canEdit}
              onDragStart={() => setDragged(index)}
              onDragEnd={() => setDragged(null)}
              onDrop={(event) => {
                if (dragged === null || event.dataTransfer.files.length > 0) return;
                event.preventDefault();
                event.stopPropagation();
                move(dragged, index);
              }}
            >
              <OnePicture url={value} name={t('pictures.number', { number: index + 1 })} />
              {canEdit ? (
                <PictureButtons
                  index={index}
                  count={pictures.length}
                  move={(to) => move(index, to)}
                  remove={() => void save((there) => there.filter((one) => one.value !== value))}
                />
              ) : null}
            </li>
          ))}
        </ol>
        {error ? (
          <p className="field-error" role="alert">
            {error}
          </p>
        ) : null}
        {canEdit ? (
          <p>
            <button type="button" className="plain-button" onClick={() => input.current?.click()}>
              {t('pictures.add')}
            </button>{' '}
            <span className="soft">{t('pictures.hint')}</span>
            <input
              ref={input}
              type="file"
              accept={TYPES}
              multiple
              hidden
              aria-label={t('pictures.add')}
              onChange={choose}
            />
          </p>
        ) : null}
      </div>
    </Part>
  );
}

interface ButtonsProps {
  index: number;
  count: number;
  move: (to: number) => void;
  remove: () => void;
}

function PictureButtons({ index, count, move, remove }: ButtonsProps) {
  const { t } = useLocale();
  const number = index + 1;
  return (
    <span className="picture-buttons">
      <button
        type="button"
        className="quiet-button"
        aria-label={t('pictures.earlier', { number })}
        disabled={index === 0}
        onClick={() => move(index - 1)}
      >
        ←
      </button>
      <button
        type="button"
        className="quiet-button"
        aria-label={t('pictures.later', { number })}
        disabled={index === count - 1}
        onClick={() => move(index + 1)}
      >
        →
      </button>
      <button
        type="button"
        className="quiet-button"
        aria-label={t('pictures.remove', { number })}
        onClick={remove}
      >
        ×
      </button>
    </span>
  );
}
