import { useState } from 'react';
import { nameOffer, nameOrId, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Stamp } from '../ui/cells.tsx';
import { CopyButton } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CheckoutPreview } from './checkout-preview.tsx';
import { CopyToLiveButton } from './copy-to-live-button.tsx';
import { Code, CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

export function Checkout({ id }: { id: string }) {
  const path = `/v0/elements/checkout/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const element = rowOf(data, 'checkoutElement') ?? rowOf(data, 'element') ?? data;
  const url = textOf(element, 'url');
  // Its link leads nowhere: nobody is to put it on a page.
  const isArchived = textOf(element, 'status') === 'archived';
  return (
    <Detail
      title={textOf(element, 'name') || t('checkout.untitled')}
      path={path}
      data={data}
      status={<Stamp status={textOf(element, 'status')} tools={tools} />}
      stub={
        <Facts>
          <Fact name={t('column.link')}>
            <a href={url} target="_blank" rel="noreferrer">
              {url.replace(/^https?:\/\//, '')}
            </a>
          </Fact>
          <Fact name={t('column.id')}>
            <CopyableId id={textOf(element, 'id')} />
          </Fact>
        </Facts>
      }
      actions={
        <>
          {isArchived ? null : <CopyButton text={url} label={t('copy.link')} />}
          <CopyToLiveButton row={element} dialog="copy-checkout" area="elements" />
          {isArchived ? (
            <DialogButton
              dialog="unarchive-checkout"
              row={element}
              label="action.unarchive"
              area="elements"
            />
          ) : (
            <DialogButton dialog="edit-checkout" row={element} label="action.edit" area="elements" />
          )}
        </>
      }
      overview={
        <>
          <Part id="offers" title={t('product.offers')}>
            <ul className="row-list">
              {rowsOf(element, 'offers').map((offer) => (
                <OfferName key={textOf(offer, 'id')} id={textOf(offer, 'id')} />
              ))}
            </ul>
          </Part>
          {isArchived ? null : <Snippets url={url} />}
          {may('products') && !isArchived ? (
            <Part id="preview" title={t('checkout.preview')}>
              <CheckoutPreview kind="element" id={textOf(element, 'id')} />
            </Part>
          ) : null}
        </>
      }
    />
  );
}

function OfferName({ id }: { id: string }) {
  const { may } = useStore();
  const read = useRead<{ offer: Row }>(`/v0/offers/${id}`, {
    staleMs: 60_000,
    enabled: may('offers'),
  });
  return <li>{nameOrId(nameOffer(read.data?.offer), id, read.isLoading)}</li>;
}

const KINDS = ['link', 'overlay', 'embed'] as const;
type Kind = (typeof KINDS)[number];

/** What a merchant's page needs, to be copied. */
function Snippets({ url }: { url: string }) {
  const { t } = useLocale();
  const [kind, setKind] = useState<Kind>('link');
  return (
    <Part id="share" title={t('checkout.share')}>
      <Tabs
        id="share"
        label={t('checkout.share')}
        tabs={KINDS}
        open={kind}
        toName={(one) => t(`checkout.${one}`)}
        onOpen={setKind}
      >
        <Code name={t(`checkout.${kind}`)} text={toSnippet(kind, url)} label={t('checkout.copyCode')} />
      </Tabs>
    </Part>
  );
}

/** A link works without a script of ours; with it the same link opens over the page, or stands within it. */
function toSnippet(kind: Kind, url: string): string {
  const script = `<script src="${new URL('/embed/v1.js', url).href}" async></script>`;
  if (kind === 'link') return `<a href="${url}">Buy</a>`;
  if (kind === 'overlay') return `<a href="${url}" data-svc-mode="overlay">Buy</a>\n${script}`;
  return `<div data-svc-mode="embed" data-svc-checkout-url="${url}"></div>\n${script}`;
}
