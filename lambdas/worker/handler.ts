import middy from '@middy/core';
import type { Context } from 'aws-lambda';

import { type HttpEvent, type HttpResult, noSuchRoute, requestOf, resultFor } from '../api/http/http-event';
import { quotas } from '../api/jobs/charge-quotas';
import { serveRequest } from '../api/serve-request';
import { claimWork } from '../api/work/claim-work';
import type { WorkDeps } from '../api/work/claim-from-queue';
import { WorkerEnv } from '../core/contracts/env';
import { CLAIM_PATH } from '../core/contracts/routes';
import { telemetry } from '../core/platform/invocation';
import { lambdaDeps } from '../core/platform/lambda-deps';
import { loadEnv } from '../core/platform/load-env';
import { observabilityOf } from '../core/platform/observability';
import { secretsManagerSecret } from '../core/platform/secrets-manager-secret';

const env = loadEnv(WorkerEnv, process.env);
const observability = observabilityOf('worker', env);
const composed = lambdaDeps('worker', env, observability);
const { clock, usage } = composed;

const deps: WorkDeps = {
  ...composed,
  quotas: quotas(env.QUOTAS, { usage, clock }),
  secret: secretsManagerSecret(env.SIGNING_SECRET_ARN),
  claimConcurrency: env.CLAIM_CONCURRENCY,
  sampling: env.SAMPLING,
};

async function handleEvent(event: HttpEvent): Promise<HttpResult> {
  const request = requestOf(event);
  if (request?.route.path !== CLAIM_PATH) return noSuchRoute(event);
  return resultFor(event, await serveRequest(request, claimWork, deps));
}

export const handler = middy<HttpEvent, HttpResult, Error, Context>(handleEvent, {
  timeoutEarlyInMillis: 0,
}).use(telemetry(observability));
