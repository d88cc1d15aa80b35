/** The frame with the checkout, and the line to it. */
import {
  FRAME_PARAMETER,
  type FrameMode,
  type FromFrame,
  type FromPage,
  type Incoming,
  ORIGIN_PARAMETER,
  readMessage,
  toMessage,
} from './protocol.ts';

/** A frame that has loaded says hello at once; one that may not be shown here never does. */
const HELLO_MS = 1_500;
const LOAD_MS = 8_000;

interface LineParts {
  mode: FrameMode;
  origin: string;
  init: FromPage['init'];
  onMessage(message: Incoming<FromFrame>): void;
  onSilence(code: 'not_allowed' | 'timeout'): void;
}

export interface Line {
  frame: HTMLIFrameElement;
  load(url: string): void;
  send<Type extends keyof FromPage>(type: Type, data?: FromPage[Type]): void;
  end(): void;
}

export function connect({ mode, origin, init, onMessage, onSilence }: LineParts): Line {
  const frame = document.createElement('iframe');
  let port: MessagePort | undefined;
  let timer = 0;
  frame.title = 'Checkout';
  frame.allow = ['payment', 'publickey-credentials-get', 'clipboard-write']
    .map((name) => `${name} ${origin}`)
    .join(';');
  const wait = (code: 'not_allowed' | 'timeout', ms: number) => {
    clearTimeout(timer);
    // One that the page took out has nothing to say; put in again, it loads anew.
    timer = window.setTimeout(() => frame.isConnected && onSilence(code), ms);
  };
  // A page that the frame went on to says hello anew, before this.
  let isGreeted = false;
  frame.onload = () => {
    if (!isGreeted) wait('not_allowed', HELLO_MS);
    isGreeted = false;
  };
  const greet = (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    if (readMessage<FromFrame>(event.data)?.type !== 'hello') return;
    clearTimeout(timer);
    isGreeted = true;
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }) => {
      const message = readMessage<FromFrame>(data);
      if (message) onMessage(message);
    };
    frame.contentWindow?.postMessage(toMessage('init', init), origin, [channel.port2]);
  };
  addEventListener('message', greet);
  return {
    frame,
    load(url) {
      const address = new URL(url);
      address.searchParams.set(FRAME_PARAMETER, mode);
      address.searchParams.set(ORIGIN_PARAMETER, location.origin);
      wait('timeout', LOAD_MS);
      frame.src = address.href;
    },
    send(type, data) {
      port?.postMessage(toMessage(type, data));
    },
    end() {
      clearTimeout(timer);
      removeEventListener('message', greet);
      port?.close();
    },
  };
}
