import type { MeteredDeployment } from './metered-deployment';

/** Headers of a request with a trace of 55 bytes and, with both, of 300. */
export const TRACEPARENT = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
export const TRACESTATE = { tracestate: `a=${'x'.repeat(120)},b=${'y'.repeat(120)}` };

export const EVERY_MINUTE = { type: 'cron', expression: '* * * * *' };

/** A job of a scenario. */
export interface JobShape {
  schedule: object;
  overlap?: string;
  timeout?: string;
  maxRuns?: number;
  /** In place of a target and a payload. */
  workflow?: object;
  /** In place of an HTTP target. */
  queue?: string;
  startWithin?: string;
  runTags?: readonly string[];
  externalId?: string;
  expectDuration?: object;
  retry?: object;
  /** Headers of the request that creates it. */
  headers?: Record<string, string>;
}

export async function createJob(
  deployment: MeteredDeployment,
  index: number,
  { schedule, timeout, workflow, queue, startWithin, headers, ...rest }: JobShape,
): Promise<void> {
  const http = { type: 'http', url: 'https://hooks.example.com/jobs/nightly-report', timeout };
  const target = queue === undefined ? http : { type: 'worker', queue, startWithin };
  const jobId = `job-${String(index).padStart(6, '0')}`;
  const work = workflow ? { workflow } : { target, payload: { report: index } };
  await deployment.request('createJob', {}, { jobId, schedule, ...work, ...rest }, { headers });
}
