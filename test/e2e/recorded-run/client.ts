import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Timeline } from './timeline';

/** The outcome is unknown from here on. */
const SERVER_ERROR = 500;
const MAX_TRIES = 5;
/** A repeat of these must not make a second one. Each job has one of either. */
const KEYED = ['createJob', 'runJob'];

interface Asked {
  operation: string;
  jobId: string;
  method?: string;
  path?: string;
  execId?: string;
  body?: object;
}

/** A user of the API who records each request and its response. Throws if a request fails for good. */
export class Client {
  private requests = 0;

  constructor(
    private readonly userId: string,
    private readonly api: { url: string; token: string },
    private readonly timeline: Timeline,
  ) {}

  create(jobId: string, definition: object): Promise<void> {
    return this.ask({ operation: 'createJob', jobId, path: '/v1/jobs', body: { jobId, ...definition } });
  }

  pause(jobId: string): Promise<void> {
    return this.ask({ operation: 'pauseJob', jobId, path: `/v1/jobs/${jobId}/pause` });
  }

  resume(jobId: string): Promise<void> {
    return this.ask({ operation: 'resumeJob', jobId, path: `/v1/jobs/${jobId}/resume` });
  }

  delete(jobId: string): Promise<void> {
    return this.ask({ operation: 'deleteJob', jobId, method: 'DELETE', path: `/v1/jobs/${jobId}` });
  }

  run(jobId: string, payload: object): Promise<void> {
    return this.ask({ operation: 'runJob', jobId, path: `/v1/jobs/${jobId}/run`, body: { payload } });
  }

  cancel(jobId: string, execId: string): Promise<void> {
    const path = `/v1/jobs/${jobId}/executions/${execId}/cancel`;
    return this.ask({ operation: 'cancelExecution', jobId, execId, path });
  }

  /** Repeats a request without a certain outcome, as a careful client does. A busy machine leaves some. */
  private async ask(asked: Asked): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { status, text } = await this.askOnce(asked);
      const isDeleted = tries > 1 && asked.method === 'DELETE' && status === 404;
      if (status < 300 || isDeleted) return;
      if (status < SERVER_ERROR || tries === MAX_TRIES)
        throw new Error(`${asked.operation} of ${asked.jobId} was answered ${status}: ${text}`);
    }
  }

  private async askOnce(asked: Asked): Promise<{ status: number; text: string }> {
    const { operation, jobId, method = 'POST', path, execId, body } = asked;
    const request = ++this.requests;
    const jobKey = jobKeyOf({ userId: this.userId, jobId });
    const what = { src: 'api', request, operation, jobKey, execId } as const;
    this.timeline.add({ ...what, type: 'invoke' });
    const answer = await fetch(this.api.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.api.token}`,
        'content-type': 'application/json',
        ...(KEYED.includes(operation) && { 'idempotency-key': `${operation}-${jobId}` }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    const { status } = answer;
    const type = status < 300 ? 'ok' : status < 500 ? 'fail' : 'info';
    const etag = answer.headers.get('etag')?.replaceAll('"', '');
    const ran =
      operation === 'runJob' && answer.ok ? (JSON.parse(text) as { execId: string }).execId : execId;
    this.timeline.add({ ...what, type, status, execId: ran, etag });
    return { status, text };
  }
}
