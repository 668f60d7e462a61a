import { eventually } from '../eventually';
import type { Host } from './host';

/** Ends by probes, which are a minute apart. */
export const WITHIN_MS = 240_000;

/** An execution of a job, as far as its errand shows in it. */
interface SeenExecution {
  execId: string;
  status: string;
  reason: string | null;
  result: { body: string | null } | null;
  attempts: { outcome: string; error: string | null }[];
  errand?: { type?: string; state: string; id?: string; consoleUrl?: string };
}

/** Work that a stand-in was asked for. */
export interface StartedWork {
  arn: string;
  /** The name of what was started. */
  of: string;
  status: string;
  cause?: string;
  input: string;
}

/** The headers of a user of the local run. */
const headersOf = (host: Host): Record<string, string> => ({
  authorization: `Bearer ${host.run.token}`,
  'content-type': 'application/json',
});

/** The page of stand-ins. */
function standInsOf(given: () => Host) {
  /** What the stand-ins were asked for, the last one first. */
  const started = async (): Promise<StartedWork[]> => {
    const response = await given().fetch('/_local/machines.json');
    return ((await response.json()) as { executions: StartedWork[] }).executions;
  };
  /** Presses a button of the page of stand-ins, which asks no token of a user. */
  const pressArn = async (arn: string, act: string): Promise<void> => {
    const response = await given().fetch('/_local/machines/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ arn, act }),
    });
    expect(response.status).toBe(200);
  };
  /** What the target `target-<job>` has started, the last one first. */
  const worksOf = async (jobId: string): Promise<StartedWork[]> =>
    (await started()).filter(({ of }) => of === `target-${jobId}`);
  return {
    started,
    pressArn,
    worksOf,
    /** Presses a button of the last work that a job has started. */
    press: async (jobId: string, act: string): Promise<void> => pressArn((await worksOf(jobId))[0]!.arn, act),
  };
}

/** What tests ask of a local run whose jobs start errands. The run may be another one each time. */
export function errandRun(given: () => Host) {
  const post = (path: string, body: object): Promise<Response> =>
    given().fetch(path, { method: 'POST', headers: headersOf(given()), body: JSON.stringify(body) });
  const read = async (jobId: string): Promise<SeenExecution | undefined> => {
    const response = await given().fetch(`/v1/jobs/${jobId}/executions`, { headers: headersOf(given()) });
    return ((await response.json()) as { items: SeenExecution[] }).items[0];
  };
  const until = (jobId: string, isSo: (seen: SeenExecution) => boolean): Promise<SeenExecution | undefined> =>
    eventually(
      () => read(jobId),
      (seen) => seen !== undefined && isSo(seen),
      WITHIN_MS,
    );
  return {
    post,
    read,
    until,
    ...standInsOf(given),
    untilWatched: (jobId: string) => until(jobId, ({ errand }) => errand?.state === 'watched'),
    /** Until the work of a second attempt runs. */
    untilSecond: (jobId: string) =>
      until(jobId, ({ errand, attempts }) => errand?.state === 'watched' && attempts.length === 1),
    untilEnded: (jobId: string) =>
      until(jobId, ({ status }) => ['succeeded', 'failed', 'cancelled'].includes(status)),
    /** Creates a job that is due in a second. */
    async create(jobId: string, target: object, more: object = {}): Promise<void> {
      const response = await post('/v1/jobs', {
        jobId,
        schedule: { type: 'delay', delay: '1s' },
        target,
        payload: { of: jobId },
        retry: { maxAttempts: 2, initialDelay: '1s' },
        ...more,
      });
      expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ jobId })]);
    },
    async cancel(jobId: string): Promise<void> {
      const { execId } = (await read(jobId))!;
      expect((await post(`/v1/jobs/${jobId}/executions/${execId}/cancel`, {})).status).toBe(202);
    },
  };
}
