/** The thread's own file: draws what it is sent, one document after the other. */
import { parentPort } from 'node:worker_threads';
import { renderRequest } from './render-request.ts';
import type { RenderAnswer, RenderCall } from './render-thread.ts';

parentPort?.on('message', ({ id, request }: RenderCall) => {
  renderRequest(request).then(
    (bytes) => parentPort?.postMessage({ id, bytes } satisfies RenderAnswer),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) } satisfies RenderAnswer),
  );
});
