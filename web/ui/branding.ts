/** The look that a shop has given its pages. */
import { toDarkShades, toLightShades } from './accent.ts';

export interface Branding {
  /** Paths of pictures that were uploaded here. */
  logo: string | null;
  icon: string | null;
  accent: string | null;
  theme: 'auto' | 'light' | 'dark';
  termsUrl: string | null;
  privacyUrl: string | null;
  imprintUrl: string | null;
  websiteUrl: string | null;
}

export interface Seller {
  name: string;
  supportEmail: string | null;
  branding: Branding;
}

const ACCENT = /^#[0-9a-f]{6}$/i;
const TOKENS = {
  fill: '--accent',
  strong: '--accent-strong',
  ink: '--accent-ink',
  soft: '--accent-soft',
  text: '--accent-text',
} as const;

/** Lays a shop's look over ours, or takes it back. Set by script: a style in the document would need leave to. */
export function applyBranding({ accent, theme }: Branding): void {
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
  const isOwn = accent !== null && ACCENT.test(accent);
  const light = isOwn ? toLightShades(accent) : null;
  const dark = isOwn ? toDarkShades(accent) : null;
  for (const [shade, token] of Object.entries(TOKENS) as Array<[keyof typeof TOKENS, string]>) {
    if (light && dark) root.style.setProperty(token, `light-dark(${light[shade]}, ${dark[shade]})`);
    else root.style.removeProperty(token);
  }
  if (light && dark) root.style.setProperty('--ring', `light-dark(${light.text}, ${dark.text})`);
  else root.style.removeProperty('--ring');
}
