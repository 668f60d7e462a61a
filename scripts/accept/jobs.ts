import type { Site } from './site/site';

/** A job of this run. Each project is a user of its own, with its quotas and its rate limit. */
export interface NewJob {
  jobId: string;
  project?: number;
  definition: object;
}

/** A job that the API refused. */
class RefusedError extends Error {}

/** What one request takes. */
const BATCH = 100;
const AT_ONCE = 8;

/** What a check reads of an execution. */
export interface ExecutionView {
  execId: string;
  status: string;
  dueAt: string;
  attempts: { outcome: string | null }[];
}

/** Creates jobs, and deletes them at the end of the run. Throws if the API refuses one. */
export async function createJobs(site: Site, jobs: readonly NewJob[]): Promise<void> {
  site.atEnd(() => deleteJobs(site, jobs));
  const projects = [...new Set(jobs.map(({ project = 0 }) => project))];
  const batches = projects.flatMap((project) => {
    const all = jobs.filter((job) => (job.project ?? 0) === project);
    return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) => ({
      project,
      some: all.slice(index * BATCH, (index + 1) * BATCH),
    }));
  });
  await eachOf(batches, async ({ project, some }) => {
    const body = { jobs: some.map(({ jobId, definition }) => ({ jobId, ...definition })) };
    const { status, body: answer } = await site.api({ operation: 'createJobs', body }, project);
    const { outcomes = [] } = answer as { outcomes?: { index: number; status: number; problem?: unknown }[] };
    const refused = outcomes.find((outcome) => outcome.status !== 201);
    if (status >= 400 || refused)
      throw new RefusedError(
        `the API refused a job: ${status} ${JSON.stringify(refused?.problem ?? answer)}`,
      );
  });
}

async function deleteJobs({ api }: Site, jobs: readonly NewJob[]): Promise<void> {
  await eachOf(jobs, async ({ jobId, project = 0 }) => {
    const { status } = await api({ operation: 'deleteJob', pathParameters: { jobId } }, project);
    if (status >= 300 && status !== 404) throw new Error(`job ${jobId} is left: DELETE answered ${status}`);
  });
}

async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The executions of a job, newest first; at most a page. */
export async function executionsOf({ api }: Site, jobId: string, project = 0): Promise<ExecutionView[]> {
  const call = { operation: 'listExecutions', pathParameters: { jobId } } as const;
  const { status, body } = await api(call, project);
  if (status !== 200) throw new Error(`executions of ${jobId}: ${status} ${JSON.stringify(body)}`);
  return (body as { items: ExecutionView[] }).items;
}

const TRIES = 4;

/**
 * Makes jobs that are due from an instant on. Where their creation takes so long that the instant has passed,
 * makes others, for an instant three times as far ahead.
 */
export async function inTime<T>(
  site: Pick<Site, 'nowMs'>,
  aheadMs: number,
  make: (firstMs: number, tryNumber: number) => Promise<T>,
): Promise<T> {
  for (let tryNumber = 1; tryNumber <= TRIES; tryNumber += 1) {
    const firstMs = Math.ceil((site.nowMs() + aheadMs * 3 ** (tryNumber - 1)) / 1_000) * 1_000;
    const isPast = (error: unknown) => error instanceof RefusedError && error.message.includes('is past');
    const made = await make(firstMs, tryNumber).catch((error: unknown) => {
      if (isPast(error)) return undefined;
      throw error;
    });
    if (made !== undefined && site.nowMs() < firstMs) return made;
  }
  throw new Error(`jobs were not created in time, in ${TRIES} tries`);
}

/** A one-time job that runs a second after it was created. */
export const soon = (url: string, more: object = {}): object => ({
  schedule: { type: 'delay', delay: '1s' },
  target: { type: 'http', url },
  ...more,
});

/** A one-time job that calls the receiver at this path. */
export const once = (atMs: number, url: string, more: object = {}): object => ({
  schedule: { type: 'at', at: new Date(atMs).toISOString() },
  target: { type: 'http', url },
  ...more,
});
