/**
 * What connections need by real time, whatever is due: those that are not well are asked whether they are
 * again, and their books are compared with ours.
 */
import type { Service } from '../context.ts';
import { checkProcessors } from '../flows/processors/check-processors.ts';
import { reconcileDaily } from '../flows/processors/reconcile-daily.ts';

/** Each is asked less often than this: see there. */
const EVERY_MS = 60_000;

export function keepProcessors(service: Service): void {
  const timer = setInterval(() => {
    checkProcessors(service).catch((error: unknown) =>
      service.log.warn({ err: error }, 'processors that are not well could not be asked'),
    );
    reconcileDaily(service).catch((error: unknown) =>
      service.log.warn({ err: error }, "processors' books could not be compared"),
    );
  }, EVERY_MS);
  timer.unref();
}
