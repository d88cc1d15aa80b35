/** Traces of a process, where a collector is named; what makes them is loaded only then. */
import type { Config } from '../../config.ts';
import type { Traces } from './traces.ts';

/** Installed by whoever wants traces: the service does without them. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
];

/** A package of OpenTelemetry is missing. */
export class TracesMissing extends Error {
  override name = 'TracesMissing';
}

/** Null where nobody collects them. Throws TracesMissing. */
export async function openTraces({ tracesUrl, role }: Config): Promise<Traces | null> {
  if (tracesUrl === null) return null;
  const { collectTraces } = await import('./traces.ts').catch((error: unknown) => {
    throw toMissing(error) ?? error;
  });
  return collectTraces({ url: tracesUrl, role });
}

/** In one line; null for any other failure. */
export function toMissing(error: unknown): TracesMissing | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null;
  const name = /'(@opentelemetry\/[^']+)'/.exec(error.message)?.[1];
  if (name === undefined) return null;
  const message = `OTEL_EXPORTER_OTLP_ENDPOINT is set, and ${name} is not installed: npm install ${PACKAGES.join(' ')} (docs/guides/traces.md)`;
  return new TracesMissing(message, { cause: error });
}
