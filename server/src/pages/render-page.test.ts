import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPageRenderer, type PageInput } from './render-page.ts';

const MANIFEST = {
  '_shared-a1.js': { file: 'shared-a1.js', name: 'shared', css: ['shared-a1.css'], imports: ['_deep-b2.js'] },
  '_deep-b2.js': { file: 'deep-b2.js', name: 'deep' },
  'checkout/favicon.svg': { file: 'favicon-c3.svg', src: 'checkout/favicon.svg', isEntry: true },
  'ui/texts/de.json': { file: 'de-d4.js', name: 'de', isDynamicEntry: true },
  'checkout/checkout.tsx': {
    file: 'checkout-e5.js',
    name: 'checkout',
    isEntry: true,
    imports: ['_shared-a1.js', '_deep-b2.js'],
    css: ['checkout-e5.css'],
  },
  'checkout/authenticate.tsx': { file: 'authenticate-f6.js', name: 'authenticate', isEntry: true },
  'checkout/pay.tsx': { file: 'pay-h8.js', name: 'pay', isEntry: true },
  'statements/statements.tsx': { file: 'statements-j1.js', name: 'statements', isEntry: true },
  'portal/portal.tsx': { file: 'portal-k2.js', name: 'portal', isEntry: true },
  'preview/preview.tsx': { file: 'preview-i9.js', name: 'preview', isEntry: true },
  'checkout/message.tsx': { file: 'message-g7.js', name: 'message', isEntry: true },
};
const PAGE: PageInput = { entry: 'checkout', title: 'Checkout', language: 'en', state: {} };

let assetsDir = '';
beforeEach(() => {
  assetsDir = mkdtempSync(join(tmpdir(), 'page-'));
  writeFileSync(join(assetsDir, 'manifest.json'), JSON.stringify(MANIFEST));
});
afterEach(() => rmSync(assetsDir, { recursive: true }));

describe('the page renderer', () => {
  it('links the entry with the styles and scripts of everything it imports, each once', () => {
    const html = createPageRenderer({ assetsDir })(PAGE);
    expect(html).toContain('<script type="module" src="/assets/checkout-e5.js"></script>');
    expect(html.match(/rel="stylesheet" href="[^"]+"/g)).toEqual([
      'rel="stylesheet" href="/assets/shared-a1.css"',
      'rel="stylesheet" href="/assets/checkout-e5.css"',
    ]);
    expect(html.match(/rel="modulepreload" href="[^"]+"/g)).toEqual([
      'rel="modulepreload" href="/assets/deep-b2.js"',
      'rel="modulepreload" href="/assets/shared-a1.js"',
    ]);
    expect(html).toContain('href="/assets/favicon-c3.svg"');
  });

  it('preloads the texts of the language asked for and takes an unknown one without failing', () => {
    const render = createPageRenderer({ assetsDir });
    expect(render({ ...PAGE, language: 'de' })).toContain('rel="modulepreload" href="/assets/de-d4.js"');
    expect(render({ ...PAGE, language: '__proto__' })).not.toContain('undefined');
  });

  it('carries the state so that no text in it can leave its script element', () => {
    const state = { name: '</script><script>alert(1)</script><!--', price: 4900 };
    const html = createPageRenderer({ assetsDir })({ ...PAGE, state });
    const json = /id="state">(.*)<\/script>/.exec(html)?.[1] ?? '';
    expect(json).not.toContain('<');
    expect(JSON.parse(json)).toEqual(state);
  });

  it('escapes the title and the language', () => {
    const html = createPageRenderer({ assetsDir })({ ...PAGE, title: '<b>"x"</b>', language: '"><i>' });
    expect(html).toContain('<title>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</title>');
    expect(html).not.toContain('<i>');
  });

  it('has no inline script and no style attribute, which the content security policy would block', () => {
    const html = createPageRenderer({ assetsDir })(PAGE);
    const scripts = [...html.matchAll(/<script[^>]*>/g)].map((match) => match[0]);
    expect(scripts.every((tag) => tag.includes(' src=') || tag.includes('application/json'))).toBe(true);
    expect(html).not.toContain(' style=');
  });

  it('says how to build when the assets are missing', () => {
    expect(() => createPageRenderer({ assetsDir: join(assetsDir, 'none') })).toThrow(/npm run build -w web/);
  });

  it('refuses a build that lacks an entry', () => {
    writeFileSync(join(assetsDir, 'manifest.json'), '{}');
    expect(() => createPageRenderer({ assetsDir })).toThrow(/no entry "checkout"/);
  });
});
