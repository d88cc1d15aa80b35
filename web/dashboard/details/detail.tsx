/** What every detail is: a ticket whose stub holds the facts, and a pane with tabs. */
import { type ReactNode, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Row } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { toCurl, toTypeScript } from '../ui/api-call.ts';
import { Breakable } from '../ui/breakable.tsx';
import { CopyButton, Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { Timeline } from './timeline.tsx';
import { useWithin } from './within.ts';

export interface DetailProps {
  title: string;
  /** The operation that tells of the object. */
  path: string;
  data: Row;
  status?: ReactNode;
  actions?: ReactNode;
  /** The stub: what matters most, then pairs of name and value. */
  stub: ReactNode;
  overview: ReactNode;
  /** Of an object with a timeline: `orders`, and its id. */
  timeline?: { object: string; id: string };
}

const TABS = ['overview', 'timeline', 'json'] as const;

export function Detail({ title, path, data, status, actions, stub, overview, timeline }: DetailProps) {
  const { t } = useLocale();
  const isWithin = useWithin();
  useTitle(isWithin ? null : title);
  const search = useSearch();
  const [location, navigate] = useLocation();
  const [chosen, choose] = useState('overview');
  const tabs = TABS.filter((tab) => tab !== 'timeline' || timeline);
  const wanted = isWithin ? chosen : new URLSearchParams(search).get('tab');
  const tab = tabs.find((one) => one === wanted) ?? 'overview';
  const go = (next: string) => {
    if (isWithin) return choose(next);
    navigate(next === 'overview' ? location : `${location}?tab=${next}`, { replace: true });
  };
  const Heading = isWithin ? 'h2' : 'h1';
  return (
    <article className="detail" aria-labelledby="detail-title">
      <div className="detail-stub">
        <Heading id="detail-title">
          <Breakable text={title} />
        </Heading>
        {status ? <p className="detail-status">{status}</p> : null}
        {stub}
        {actions ? <div className="detail-actions">{actions}</div> : null}
      </div>
      <div className="detail-pane">
        <Tabs id="tab" label={title} tabs={tabs} open={tab} toName={(one) => t(`tab.${one}`)} onOpen={go}>
          {tab === 'overview' ? overview : null}
          {tab === 'timeline' && timeline ? <Timeline {...timeline} /> : null}
          {tab === 'json' ? <Json path={path} data={data} /> : null}
        </Tabs>
      </div>
    </article>
  );
}

function Json({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const { store } = useStore();
  const json = JSON.stringify(data, null, 2);
  const call = { path, mode: store.mode };
  return (
    <>
      <section aria-labelledby="api-call" className="part">
        <h2 id="api-call">{t('json.call')}</h2>
        <Code name="curl" text={toCurl(call)} />
        <Code name="TypeScript" text={toTypeScript(call)} />
      </section>
      <section aria-labelledby="api-answer" className="part">
        <h2 id="api-answer">{t('json.answer')}</h2>
        <Code name="JSON" text={json} />
      </section>
    </>
  );
}

export function Code({ name, text, label }: { name: string; text: string; label?: string }) {
  const { t } = useLocale();
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{name}</span>
        <CopyButton text={text} label={label ?? t('copy.this')} className="quiet-button" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

/** Reads the object and shows how it goes; the screen itself is drawn only of what is there. */
export function Read({ path, show }: { path: string; show: (data: Row) => ReactNode }) {
  const read = useRead<Row>(path);
  if (read.data) return show(read.data);
  if (read.error?.code === 'invalid_input') return <Nowhere />;
  if (read.isError) return <Failure error={read.error} retry={() => void read.refetch()} isScreen />;
  return <Waiting />;
}

/** Nothing was entered: an address that can name nothing leads nowhere. */
export function Nowhere() {
  const { t } = useLocale();
  return <Lonely title={t('notFound.title')} text={t('notFound.text')} to="/" action={t('nav.home')} />;
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

/** A pair of the stub; without a value there is none. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === '' || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function CopyableId({ id }: { id: string }) {
  const { t } = useLocale();
  return (
    <span className="copyable">
      <span className="code-text">{id}</span>
      <CopyButton text={id} label={t('copy.this')} className="quiet-button" />
    </span>
  );
}

export function Part({
  id,
  title,
  children,
  aside,
}: {
  id: string;
  title: string;
  children: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <section className="part" aria-labelledby={id}>
      <div className="part-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
