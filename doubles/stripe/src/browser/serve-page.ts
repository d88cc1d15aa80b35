/** What a browser gets of the stand-in: Stripe.js, its frames, and the pages where a buyer authenticates. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { readForm } from '../api/form.ts';
import { quietly } from '../control/object-calls.ts';
import { type AnyIntent, authenticate } from '../verbs/authenticate.ts';
import { toKind } from '../world/rows.ts';

const FILES: Readonly<Record<string, string>> = {
  'stripe.js': 'text/javascript',
  'element.html': 'text/html',
  'element.js': 'text/javascript',
};

export async function servePage(
  world: World,
  method: string,
  url: URL,
  body: string,
  response: ServerResponse,
): Promise<void> {
  const [, first = '', second = '', ...more] = url.pathname.split('/');
  const type = FILES[second];
  if (method === 'GET' && /^[a-z]+$/.test(first) && type && more.length === 0) {
    const text = readFileSync(new URL(`./page/${second}`, import.meta.url));
    response
      .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' })
      .end(text);
    return;
  }
  const kind = first === 'authenticate' ? toKind(second) : null;
  const intent = kind ? world.store.get<AnyIntent>(kind, second) : undefined;
  const given = url.searchParams.get('client_secret') ?? readForm(body).client_secret;
  if (intent && given === intent.data.client_secret && method === 'GET') {
    sendHtml(response, toForm(intent));
    return;
  }
  if (intent && given === intent.data.client_secret && method === 'POST') {
    world.begin(`page ${world.count('pages')}`);
    const isPassed = readForm(body).answer === 'complete';
    quietly(() => authenticate(world, intent, isPassed));
    world.store.commit();
    sendEnd(response, intent, isPassed);
    return;
  }
  world.store.put('unknown', `page ${world.count('pages')}`, { at: world.nowMs, method, path: url.pathname });
  world.store.commit();
  const message = `Unrecognized request URL (${method}: ${url.pathname}).`;
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'invalid_request_error', message } }));
}

function sendHtml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${text}`);
}

function toForm({ data }: AnyIntent): string {
  const secret = String(data.client_secret);
  return `<link rel="icon" href="data:,"><title>Authentication</title><form method="post" action="/authenticate/${data.id}">
<input type="hidden" name="client_secret" value="${secret}">
<button name="answer" value="complete">Complete authentication</button>
<button name="answer" value="fail">Fail authentication</button></form>`;
}

/** Back to the shop, or, in a frame, a word to the page around it. */
function sendEnd(response: ServerResponse, { data, hidden }: AnyIntent, isPassed: boolean): void {
  const isInFrame = data.status !== 'requires_action' && !hidden.returnUrl;
  const script = '<script>parent.postMessage({ standIn: "authenticated" }, "*")</script>';
  if (isInFrame || !hidden.returnUrl) {
    sendHtml(response, script);
    return;
  }
  const url = toReturnUrl(hidden.returnUrl, data, isPassed);
  // In the frame of Stripe.js the word alone goes out; as a page of its own it leads back.
  sendHtml(
    response,
    `${script}<script>if (parent === window) location.replace(${JSON.stringify(url)})</script>`,
  );
}

function toReturnUrl(
  returnUrl: string,
  data: Stripe.PaymentIntent | Stripe.SetupIntent,
  isPassed: boolean,
): string {
  const url = new URL(returnUrl);
  url.searchParams.set(data.object, data.id);
  url.searchParams.set(`${data.object}_client_secret`, String(data.client_secret));
  url.searchParams.set('redirect_status', isPassed ? 'succeeded' : 'failed');
  return url.href.replaceAll('<', '%3C');
}
