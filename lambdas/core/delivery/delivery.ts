import { hash } from 'node:crypto';

import { DEPTH_HEADER, depthAfter } from '../contracts/loop-guard';
import { jobRefOf } from '../contracts/tables';
import { type Execution, payloadOf } from '../domain/execution';
import type { Job } from '../domain/job';
import type { RetriedStatus } from '../domain/retry-policy';
import { runOf, taskExecId, taskRefOf } from '../domain/workflow/task-id';
import { SIGNATURE_HEADER, signHeaders } from './signing/signed-headers';
import type { SigningSecrets } from './signing/signing-secrets';
import { sign } from './signing/standard-webhooks';
import { SECOND_MS } from '../clock/clock';
import type { TraceHeaders } from './trace-ids';

/** One attempt as its target gets it: the exact bytes, and the headers that Quarterjack sets. */
export interface Delivery {
  /** The project that owns the job. HTTP targets are not told: the secret that signs is the project's. */
  project: string;
  body: Buffer;
  headers: Record<string, string>;
  /** The statuses of an HTTP target that are retried. Absent: the default. */
  retryOn?: readonly RetriedStatus[];
  /** What the target returns is kept for other tasks, up to `MAX_OUTPUT_BYTES`. */
  keepsOutput?: true;
}

/** How a target with mode `async` reports its result, or one with `observe` how far it is. */
export interface ReportBy {
  /** Base URL of the routes that take reports. */
  callbackUrl: string;
  /** Valid for this attempt only. A secret: never log it. */
  token: string;
}

/**
 * Opaque id of an execution for its target: the same on every attempt, and different for every other
 * execution. It has no dots, because Standard Webhooks joins the signed parts with dots.
 */
export const deliveryIdOf = (jobKey: string, execId: string): string =>
  hash('sha256', `${jobKey}#${execId}`, 'hex').slice(0, 40);

/** The execution whose id a delivery has. A task that runs again because it failed keeps that of before. */
function namedBy(execId: string, { deliveryRound }: Pick<Job, 'deliveryRound'>): string {
  const task = deliveryRound === undefined ? undefined : taskRefOf(execId);
  return task ? taskExecId({ ...task, round: deliveryRound! }) : execId;
}

/**
 * Body and headers of one attempt, with the signatures of each secret. Standard Webhooks signs the exact
 * bytes of the body. The host's secrets also sign the `quarterjack-…` headers, so nothing may add one later.
 *
 * @param send.secrets absent: nothing is signed, for targets that are not called by HTTP
 * @param send.dueAtMs when the execution is due; of a task, its run
 */
export function deliveryOf(
  execution: Execution,
  job: Job,
  send: {
    secrets?: SigningSecrets;
    nowMs: number;
    dueAtMs: number;
    trace: TraceHeaders;
    reportBy?: ReportBy;
    target?: number;
  },
): Delivery {
  const payload = payloadOf(execution, job);
  const body = Buffer.from(payload === undefined ? '' : JSON.stringify(payload), 'utf8');
  const id = deliveryIdOf(execution.jobKey, namedBy(execution.execId, job));
  const timestampSec = Math.floor(send.nowMs / SECOND_MS);
  const { userId: project, jobId } = jobRefOf(execution.jobKey);
  const headers: Record<string, string> = {
    ...(body.length > 0 ? { 'content-type': 'application/json' } : {}),
    'user-agent': 'Quarterjack/1',
    'idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': String(timestampSec),
    'quarterjack-job': jobId,
    'quarterjack-execution': runOf(execution.execId),
    'quarterjack-attempt': String(execution.attempt),
    'quarterjack-fence': String(execution.fence),
    [DEPTH_HEADER]: String(depthAfter(execution.deliveryDepth ?? job.deliveryDepth)),
    ...taskHeaders(execution.execId),
    'quarterjack-due': new Date(send.dueAtMs).toISOString(),
    ...(execution.key !== undefined && { 'quarterjack-key': encodeURIComponent(execution.key) }),
    ...(send.target !== undefined && { 'quarterjack-target': String(send.target) }),
    ...(send.reportBy && {
      'quarterjack-callback': send.reportBy.callbackUrl,
      'quarterjack-token': send.reportBy.token,
    }),
    ...send.trace,
  };
  return {
    project,
    body,
    headers: { ...headers, ...(send.secrets && signaturesOf(headers, body, send.secrets)) },
    ...(job.retry.on && { retryOn: job.retry.on }),
    ...(job.keepsOutput && { keepsOutput: true }),
  };
}

function taskHeaders(execId: string): Record<string, string> {
  const task = taskRefOf(execId);
  if (!task) return {};
  return {
    'quarterjack-task': task.task,
    'quarterjack-round': String(task.round),
    ...(task.item !== undefined && { 'quarterjack-item': String(task.item) }),
  };
}

/** Legacy signatures come first: a receiver that knows no other may read the first alone. */
function signaturesOf(
  headers: Record<string, string>,
  body: Buffer,
  { host, legacy }: SigningSecrets,
): Record<string, string> {
  const id = headers['webhook-id']!;
  const timestampSec = Number(headers['webhook-timestamp']);
  const signatures = [...legacy, ...host].map((secret) => sign({ id, timestampSec, body, secret }));
  return {
    'webhook-signature': signatures.join(' '),
    [SIGNATURE_HEADER]: host.map((secret) => signHeaders(headers, secret)).join(' '),
  };
}
