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

/** The headers of a user of the local run. */
export const headersOf = (host: Host): Record<string, string> => ({
  authorization: `Bearer ${host.run.token}`,
  'content-type': 'application/json',
});

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
    untilWatched: (jobId: string) => until(jobId, ({ errand }) => errand?.state === 'watched'),
    untilEnded: (jobId: string) =>
      until(jobId, ({ status }) => ['succeeded', 'failed', 'cancelled'].includes(status)),
    /** What the stand-ins were asked for, the last one first. */
    async started<Work>(): Promise<Work[]> {
      const response = await given().fetch('/_local/machines.json');
      return ((await response.json()) as { executions: Work[] }).executions;
    },
    /** Presses a button of the page of stand-ins, which asks no token of a user. */
    async press(arn: string, act: string): Promise<void> {
      const response = await given().fetch('/_local/machines/act', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ arn, act }),
      });
      expect(response.status).toBe(200);
    },
  };
}
