/** Which sites may show the checkout in a frame: hosts and origins, as a content security policy names them. */

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
/** Nothing that could end the policy's directive, and no path: a site frames as a whole. */
const SOURCE = new RegExp(`^((https?)://)?(\\*\\.)?(${LABEL}(\\.${LABEL})*)(:([0-9]{1,5}))?$`);
/** In test mode a page on the developer's own machine may frame, whatever its port. */
const LOOPBACK = ['http://localhost:*', 'https://localhost:*', 'http://127.0.0.1:*', 'https://127.0.0.1:*'];

interface Source {
  scheme: string | null;
  isWildcard: boolean;
  host: string;
  port: string | null;
}

function parse(text: string): Source | null {
  const match = text.length <= 253 ? SOURCE.exec(text) : null;
  if (!match) return null;
  return {
    scheme: match[2] ?? null,
    isWildcard: Boolean(match[3]),
    host: match[4] ?? '',
    port: match[8] ?? null,
  };
}

export function isFrameSource(text: string): boolean {
  return parse(text) !== null;
}

/** The host that a source names and everybody reaches by https at its own port; null where it names another thing. */
export function readSecureHost(text: string): string | null {
  const source = parse(text);
  if (!source || source.isWildcard || source.port !== null || source.scheme === 'http') return null;
  const isName = /\.[a-z][a-z0-9-]*$/.test(source.host) && !isLoopback(source.host);
  return isName ? source.host : null;
}

/** As it is compared and written: a name has no capitals, an origin no path. */
export function toFrameSource(text: string): string {
  return text.toLowerCase().replace(/\/$/, '');
}

interface Mode {
  testMode: boolean;
}

/** Whether all that the source allows is allowed by the others. */
export function isWithinSources(text: string, sources: readonly string[], { testMode }: Mode): boolean {
  const inner = parse(text);
  if (!inner) return false;
  if (testMode && !inner.isWildcard && isLoopback(inner.host)) return true;
  return sources.some((one) => {
    const outer = parse(one);
    return outer !== null && covers(outer, inner);
  });
}

function covers(outer: Source, inner: Source): boolean {
  const isHost = outer.isWildcard
    ? inner.host.endsWith(`.${outer.host}`) || (inner.isWildcard && inner.host === outer.host)
    : !inner.isWildcard && inner.host === outer.host;
  // A policy's http stands for https, too.
  const isScheme =
    outer.scheme === null ||
    outer.scheme === inner.scheme ||
    (outer.scheme === 'http' && inner.scheme === 'https');
  return isHost && isScheme && outer.port === inner.port;
}

/** `127.0.0.2` is as much the machine's own as `localhost`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(host);
}

interface FrameRules extends Mode {
  authorizedDomains: readonly string[];
  /** Of the checkout alone; empty: nothing narrower. */
  allowedOrigins: readonly string[];
}

export interface Framing {
  /** For `frame-ancestors`; empty: nobody. */
  ancestors: string[];
  /** The origin that asked, where it may. */
  origin: string | null;
}

/** Who may frame a checkout, and whether that `asked`, the origin of a page, is one of them. */
export function decideFraming(rules: FrameRules, asked: string | null): Framing {
  const sources = listSources(rules);
  const url = asked !== null && URL.canParse(asked) ? new URL(asked) : null;
  const isOrigin = url !== null && url.origin === asked && /^https?:$/.test(url.protocol);
  if (!isOrigin) return { ancestors: withLoopback(sources, rules), origin: null };
  const origin = url.origin;
  const isOwn = rules.testMode && isLoopback(url.hostname);
  const ancestors = withLoopback(sources, rules);
  if (isOwn) return { ancestors: [...new Set([...ancestors, origin])], origin };
  return { ancestors, origin: isWithinSources(origin, sources, rules) ? origin : null };
}

function listSources({ authorizedDomains, allowedOrigins, testMode }: FrameRules): string[] {
  if (allowedOrigins.length === 0) return [...authorizedDomains];
  // A site that was taken out of the setting since frames nothing more.
  return allowedOrigins.filter((one) => isWithinSources(one, authorizedDomains, { testMode }));
}

function withLoopback(sources: string[], { testMode }: Mode): string[] {
  return testMode ? [...sources, ...LOOPBACK] : sources;
}
