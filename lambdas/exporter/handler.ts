import * as z from 'zod/mini';

import { cached } from '../core/async/cached';
import { MINUTE_MS } from '../core/clock/clock';
import { systemClock } from '../core/clock/system-clock';
import { ExporterEnv } from '../core/contracts/env';
import { SpansMessage } from '../core/contracts/otlp';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { secretsManagerText } from '../core/platform/secrets-manager-secret';
import { sqsBatchHandler } from '../core/platform/sqs-handler';
import { collector } from './collector';
import { spanExporter } from './export-spans';

const env = loadEnv(ExporterEnv, process.env);
const log = powertoolsLog('exporter');
const meter = powertoolsMeter('exporter', env);
const clock = systemClock;

const CACHED_MS = 5 * MINUTE_MS;
const Headers = z.record(z.string(), z.string());

/** A rotated secret counts within five minutes. */
const headersOf = cached(CACHED_MS, clock, async () => {
  if (env.OTLP_HEADERS_SECRET_ARN === '') return {};
  const parsed = Headers.safeParse(JSON.parse(await secretsManagerText(env.OTLP_HEADERS_SECRET_ARN)));
  if (!parsed.success) throw new Error('the secret with headers is not a JSON object of texts');
  return parsed.data;
});

const post = collector(
  env.OTLP_ENDPOINT,
  headersOf,
  { policy: env.TARGET_POLICY, nowMs: () => clock.nowMs() },
  clock,
);
const source = {
  serviceName: env.OTLP_SERVICE_NAME,
  version: env.VERSION,
  stage: env.STAGE,
  deployment: env.DEPLOYMENT,
};

const send = spanExporter({ post, source, clock, log, meter });
export const handler = sqsBatchHandler(SpansMessage, { log, meter }, (batch) => send(batch));
