import type { Work } from '../../client/types';
import { durationMs } from '../../client/worker/duration';
import type { LogLine } from '../../client/worker/log-buffer';

export type FakeStatus = 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** An execution of the fake server. */
export interface FakeExecution {
  jobId: string;
  payload: unknown;
  heartbeatTimeout: string;
  timeoutMs: number;
  status: FakeStatus;
  attempt: number;
  fence: number;
  releases: number;
  /** Leases that lapsed. */
  lapses: number;
  cancelRequested: boolean;
  result?: unknown;
  error?: string;
  retriable?: boolean;
  reason?: string;
  chunks: LogLine[][];
}

type Offer = Partial<Pick<FakeExecution, 'jobId' | 'payload' | 'heartbeatTimeout' | 'timeoutMs'>>;

/** What happens to the next request of a route: an answer instead of the server's, or a lost answer. */
type Fault = { path: string; answer?: Response; isLost?: boolean };

const DUE_AT = '2026-12-01T02:00:00.000Z';

/**
 * A server of one work queue, as far as a worker sees it. Claims wait and repeat, leases lapse, reports
 * become stale, and logs are kept. It knows no priorities, gates or retries.
 */
export class FakeWorkServer {
  readonly executions: FakeExecution[] = [];
  /** All requests so far: `POST /v1/work/claim`. */
  readonly requests: { path: string; body: Record<string, unknown>; token: string; key: string | null }[] =
    [];
  readonly faults: Fault[] = [];
  /** No request arrives while this is true. */
  isCut = false;
  /** As an API of a version before heartbeats had a progress. */
  takesNoProgress = false;
  /** The log takes this many bytes of an attempt. */
  maxLogBytes = 524_288;
  /** Called at the moment at which a lease lapses: whatever worked under it must have ended. */
  onLapse: (execution: FakeExecution) => void = () => undefined;
  private readonly claimed = new Map<string, Work[]>();
  private readonly lapse = new Map<FakeExecution, NodeJS.Timeout>();
  private isClosed = false;
  private waiting = new Set<() => void>();

  /** Makes an execution due. */
  offer({ jobId = 'load', payload, heartbeatTimeout = '60s', timeoutMs = 600_000 }: Offer = {}) {
    const execution: FakeExecution = {
      jobId,
      payload,
      heartbeatTimeout,
      timeoutMs,
      status: 'waiting',
      attempt: 1,
      fence: 0,
      releases: 0,
      lapses: 0,
      cancelRequested: false,
      chunks: [],
    };
    this.executions.push(execution);
    this.wake();
    return execution;
  }

  /** Answers one request as the API would. Rejects while the network is cut, or if an answer is lost. */
  async fetch(request: Request): Promise<Response> {
    if (this.isCut) throw new TypeError('fetch failed');
    const path = new URL(request.url).pathname;
    const body = JSON.parse((await request.text()) || '{}') as Record<string, unknown>;
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    const key = request.headers.get('idempotency-key');
    this.requests.push({ path, body, token, key });
    const fault = this.faults.find((one) => one.path === path);
    if (fault) this.faults.splice(this.faults.indexOf(fault), 1);
    if (fault?.answer) return fault.answer;
    const answer = path === '/v1/work/claim' ? await this.claim(body, key) : this.report(path, token, body);
    if (fault?.isLost || this.isCut) throw new TypeError('fetch failed');
    return answer;
  }

  /** Ends all timers. */
  close(): void {
    this.isClosed = true;
    for (const timer of this.lapse.values()) clearTimeout(timer);
    this.wake();
  }

  private async claim({ max = 1, wait }: Record<string, unknown>, key: string | null): Promise<Response> {
    const repeated = key === null ? undefined : this.claimed.get(key);
    if (repeated) return json(200, { work: repeated });
    const untilMs = Date.now() + (durationMs(String(wait)) ?? 0);
    while (
      !this.executions.some(({ status }) => status === 'waiting') &&
      !this.isClosed &&
      Date.now() < untilMs
    )
      await this.change(untilMs - Date.now());
    const due = this.executions.filter(({ status }) => status === 'waiting').slice(0, Number(max));
    const work = due.map((execution) => this.handOut(execution));
    if (key !== null && work.length > 0) this.claimed.set(key, work);
    return json(200, { work });
  }

  private handOut(execution: FakeExecution): Work {
    const { jobId, payload, heartbeatTimeout, timeoutMs, attempt } = execution;
    execution.status = 'running';
    execution.fence++;
    this.keep(execution);
    const nowMs = Date.now();
    return {
      token: this.tokenOf(execution),
      jobId,
      execId: `20261201T020000.${this.executions.indexOf(execution)}`,
      attempt,
      fence: execution.fence,
      dueAt: DUE_AT,
      claimedAt: new Date(nowMs).toISOString(),
      deadline: new Date(nowMs + timeoutMs).toISOString(),
      heartbeatTimeout,
      ...(payload !== undefined && { payload }),
      trigger: 'schedule',
      deliveryDepth: 1,
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    };
  }

  private tokenOf = (execution: FakeExecution): string =>
    `${this.executions.indexOf(execution)}-${execution.fence}`;

  private report(path: string, token: string, body: Record<string, unknown>): Response {
    const [index, fence] = token.split('-').map(Number);
    const execution = this.executions[index ?? -1];
    if (!execution || execution.fence !== fence) return stale();
    if (path === '/v1/attempts/log') return this.log(execution, body);
    if (execution.status !== 'running') return stale();
    if (path === '/v1/attempts/heartbeat')
      return this.takesNoProgress && 'progress' in body ? unknownField() : this.heartbeat(execution);
    clearTimeout(this.lapse.get(execution));
    if (path === '/v1/work/release') this.release(execution);
    else this.end(execution, path, body);
    return json(200, { status: execution.status });
  }

  private heartbeat(execution: FakeExecution): Response {
    const { cancelRequested } = execution;
    if (!cancelRequested) this.keep(execution);
    return json(200, { status: 'running', cancelRequested });
  }

  private release(execution: FakeExecution): void {
    execution.status = 'waiting';
    execution.attempt++;
    execution.releases++;
    this.wake();
  }

  private end(execution: FakeExecution, path: string, body: Record<string, unknown>): void {
    if (path === '/v1/attempts/complete') Object.assign(execution, { status: 'succeeded', ...body });
    else Object.assign(execution, { status: execution.cancelRequested ? 'cancelled' : 'failed', ...body });
    this.wake();
  }

  private log(execution: FakeExecution, { chunk, lines }: Record<string, unknown>): Response {
    const { chunks } = execution;
    const before = JSON.stringify(chunks[Number(chunk)]);
    if (before !== undefined && before !== JSON.stringify(lines)) return stale();
    const bytes = Buffer.byteLength(JSON.stringify(chunks));
    const truncated = bytes > this.maxLogBytes;
    if (!truncated) chunks[Number(chunk)] = lines as LogLine[];
    return json(200, { bytes, truncated });
  }

  private keep(execution: FakeExecution): void {
    clearTimeout(this.lapse.get(execution));
    const lapse = () => {
      this.onLapse(execution);
      execution.lapses++;
      execution.fence++;
      execution.attempt++;
      execution.status = 'waiting';
      this.wake();
    };
    this.lapse.set(execution, setTimeout(lapse, durationMs(execution.heartbeatTimeout)));
  }

  private change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }
}

const json = (status: number, body: unknown): Response => Response.json(body, { status });

const unknownField = (): Response =>
  json(400, { type: 'about:blank', title: 'Invalid request', status: 400, detail: 'progress: is not known' });

const stale = (): Response =>
  json(409, { type: 'about:blank', title: 'Conflict', status: 409, detail: 'the token is stale' });
