import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Timeline } from './timeline';

interface Asked {
  operation: string;
  jobId: string;
  method?: string;
  path?: string;
  execId?: string;
  body?: object;
}

/** A user of the API who records each request and its response. Throws if a request fails. */
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

  private async ask({ operation, jobId, method = 'POST', path, execId, body }: Asked): Promise<void> {
    const request = ++this.requests;
    const jobKey = jobKeyOf({ userId: this.userId, jobId });
    const what = { src: 'api', request, operation, jobKey, execId } as const;
    this.timeline.add({ ...what, type: 'invoke' });
    const answer = await fetch(this.api.url + path, {
      method,
      headers: { authorization: `Bearer ${this.api.token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    const { status } = answer;
    const type = status < 300 ? 'ok' : status < 500 ? 'fail' : 'info';
    const etag = answer.headers.get('etag')?.replaceAll('"', '');
    const ran =
      operation === 'runJob' && answer.ok ? (JSON.parse(text) as { execId: string }).execId : execId;
    this.timeline.add({ ...what, type, status, execId: ran, etag });
    if (!answer.ok) throw new Error(`${operation} of ${jobId} was answered ${status}: ${text}`);
  }
}
