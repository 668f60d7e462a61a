import { createHash } from 'node:crypto';

import { appendLines, bytesOf } from '../../core/attempts/append-lines';
import { SECOND_MS } from '../../core/clock/clock';
import type { AttemptTokenPayload } from '../../core/delivery/attempt-token';
import type { Execution } from '../../core/domain/execution';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { LogBody, MAX_CHUNK_BYTES } from '../../core/http/log';
import type { LogReceiptView } from '../../core/http/openapi/work';
import { holdsLease } from '../../core/store/execution-store';
import { jobRefOf } from '../../core/contracts/tables';
import { Redactor } from '../../core/delivery/secrets/redactor';
import { everyValueOf } from '../../core/delivery/secrets/secret-values';
import type { StoredLine } from '../../core/store/log-store';
import { reportingAttemptOf, stale } from '../attempts/attempt-report';
import { canonicalJson } from '../http/json';
import { readBody } from '../http/parse-request';
import { conflict, tooLarge } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** What is left of a log may come this long after the end of its lease. */
const LATE_MS = 60 * SECOND_MS;
/** The text of a chunk as JSON, with times and streams: 64 kB of text in 10,000 lines. */
const MAX_BODY_BYTES = 1_500_000;

/**
 * 200: the lines are kept, or the log is full. Throws `ProblemError` 409 if the lease ended more than a
 * minute ago, or if the chunk's number was used for other lines.
 */
export async function appendLog(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const token = await reportingAttemptOf(request, deps, { takesObservers: true });
  const body = readBody(request, LogBody, MAX_BODY_BYTES);
  const bytes = bytesOf(body.lines);
  if (bytes > MAX_CHUNK_BYTES)
    throw tooLarge('lines', `must have at most ${MAX_CHUNK_BYTES} bytes of text together, not ${bytes}`);
  const { lease } = token;
  const nowMs = deps.clock.nowMs();
  const execution = await deps.executions.get(lease);
  if (!execution || !mayStillWrite(execution, lease, nowMs)) throw stale(undefined);
  const lines = await withoutSecrets(
    body.lines.map(({ at = nowMs, stream, text }) => ({ atMs: at, stream, text })),
    token,
    deps,
  );
  const until = Math.max(nowMs, execution.delegatedTo?.endsAtMs ?? 0);
  const hash = createHash('sha256').update(canonicalJson(body.lines)).digest('base64url');
  const { jobKey, execId, attempt, fence } = lease;
  const appended = await appendLines(
    { jobKey, execId, attempt, fence, chunk: body.chunk, lines, hash },
    expiresAtSecAfter(until, deps.retentionDays),
    deps.deployment.quotas,
    deps,
  );
  if (appended.written === 'different')
    throw conflict(`the chunk ${body.chunk} is on record with other lines`);
  const receipt: LogReceiptView = { bytes: appended.bytes, truncated: appended.isFull };
  return { status: 200, body: receipt };
}

/** Whether the attempt has the lease, or has ended a moment ago. */
function mayStillWrite(execution: Execution, lease: AttemptTokenPayload['lease'], nowMs: number): boolean {
  if (holdsLease(execution, lease)) return true;
  return execution.attempts.some(
    ({ fence, finishedAtMs }) => fence === lease.fence && nowMs - finishedAtMs <= LATE_MS,
  );
}

/**
 * Lines without the secrets that the target was sent: workers are sent none. If such a secret is gone, its
 * value cannot be looked for, so no text is kept.
 */
async function withoutSecrets(
  lines: readonly StoredLine[],
  { lease, secretNames = [] }: AttemptTokenPayload,
  { secrets, sealingKeys: keys, clock }: ApiDeps,
): Promise<StoredLine[]> {
  if (secretNames.length === 0) return [...lines];
  const { userId } = jobRefOf(lease.jobKey);
  const { hidden, unknown } = await everyValueOf(userId, secretNames, {
    secrets,
    keys,
    nowMs: clock.nowMs(),
  });
  const notKept = `[not kept: the value of secret ${unknown.join(', ')} is not known any more]`;
  if (unknown.length > 0) return lines.map((line) => ({ ...line, text: notKept }));
  const texts = new Redactor(hidden).texts(lines.map(({ text }) => text));
  return lines.map((line, index) => ({ ...line, text: texts[index]! }));
}
