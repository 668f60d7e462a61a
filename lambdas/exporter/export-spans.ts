import { gzipSync } from 'node:zlib';

import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/clock/clock';
import { Metric } from '../core/contracts/metrics';
import type { SpansMessage } from '../core/contracts/otlp';
import { otlpAttributes } from '../core/telemetry/otlp';
import type { Log, Meter } from '../core/telemetry/telemetry';

/** What a collector has answered. `retryAfterMs`: it asks to be left alone for so long. */
export interface CollectorAnswer {
  status: number;
  body: string;
  retryAfterMs?: number | undefined;
}

/** Who the spans are from. */
export interface SpanSource {
  serviceName: string;
  version: string;
  stage: string;
  /** Name of the stack. */
  deployment: string;
}

export interface ExporterDeps {
  /** Sends one request. Rejects if there is no answer. */
  post(body: Buffer): Promise<CollectorAnswer>;
  source: SpanSource;
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
  meter: Pick<Meter, 'count'>;
}

/** Older spans are of no use. */
const DROPPED_AFTER_MS = HOUR_MS;
/** Answers that OTLP wants repeated. A 500 is none of them. */
const RETRIED: readonly number[] = [429, 502, 503, 504];
/** After no answer, a process leaves the collector alone for so long. */
const USUAL_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** Names the semantic conventions that attributes follow. */
const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.37.0';
const SHOWN_CHARACTERS = 300;

type Queued = readonly { id: string; message: SpansMessage }[];

/**
 * Sends spans to the collector, a request for each message. A collector that does not answer costs a batch
 * one request: the rest goes back to the queue. So does what comes while it is left alone.
 *
 * @returns `failedIds`: messages to be sent again
 */
export function spanExporter(deps: ExporterDeps): (batch: Queued) => Promise<{ failedIds: string[] }> {
  const { clock, log, meter } = deps;
  let closedUntilMs = 0;

  async function isDone({ spans, madeAtMs }: SpansMessage): Promise<boolean> {
    const nowMs = clock.nowMs();
    if (nowMs - madeAtMs > DROPPED_AFTER_MS) {
      meter.count(Metric.spansDropped, spans.length);
      log.warn('spans were dropped: the collector has not taken them for an hour', { spans: spans.length });
      return true;
    }
    if (nowMs < closedUntilMs) return false;
    const answer = await answered(spans);
    if (!answer || RETRIED.includes(answer.status)) {
      closedUntilMs = clock.nowMs() + Math.min(answer?.retryAfterMs ?? USUAL_PAUSE_MS, LONGEST_PAUSE_MS);
      if (answer) log.warn('the collector asks to send spans again', { status: answer.status });
      return false;
    }
    count(spans.length, answer);
    return true;
  }

  async function answered(spans: SpansMessage['spans']): Promise<CollectorAnswer | undefined> {
    try {
      return await deps.post(gzipSync(JSON.stringify(requestOf(spans, deps.source))));
    } catch (error) {
      log.warn('the collector did not answer', { reason: (error as Error).message });
      return undefined;
    }
  }

  function count(sent: number, { status, body }: CollectorAnswer): void {
    const isSuccess = status >= 200 && status <= 299;
    const rejected = isSuccess ? Math.min(sent, rejectedIn(body)) : sent;
    if (sent > rejected) meter.count(Metric.spansSent, sent - rejected);
    if (rejected === 0) return;
    meter.count(Metric.spansRejected, rejected);
    log.warn('the collector has rejected spans', {
      ...{ status, spans: rejected },
      answer: body.slice(0, SHOWN_CHARACTERS),
    });
  }

  return async (batch) => {
    const failedIds: string[] = [];
    for (const { id, message } of batch) if (!(await isDone(message))) failedIds.push(id);
    return { failedIds };
  };
}

/** The body of `POST /v1/traces`: an `ExportTraceServiceRequest` in JSON. */
const requestOf = (spans: SpansMessage['spans'], source: SpanSource) => ({
  resourceSpans: [
    {
      resource: {
        attributes: otlpAttributes({
          'service.name': source.serviceName,
          'service.version': source.version,
          'deployment.environment.name': source.stage,
          'quarterjack.deployment': source.deployment,
        }),
      },
      scopeSpans: [{ scope: { name: 'quarterjack', version: source.version }, spans, schemaUrl: SCHEMA_URL }],
      schemaUrl: SCHEMA_URL,
    },
  ],
});

/** How many spans of a request the collector has not taken, by the answer of a success. */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedSpans?: string | number } };
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0; // a success need not have a body that can be read
  }
}
