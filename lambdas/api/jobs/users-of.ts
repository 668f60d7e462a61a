import { type UsedThing, usesThing } from '../../core/domain/uses';
import type { ApiDeps } from '../request';

const PAGE = 25;

/** Ids of jobs that use a thing now, at most `limit`. Rows may be left over, so each job is read. */
export async function usersOf(
  project: string,
  thing: UsedThing,
  limit: number,
  deps: Pick<ApiDeps, 'jobs' | 'uses'>,
): Promise<string[]> {
  const users: string[] = [];
  let after: string | undefined;
  do {
    const uses = await deps.uses.list(project, thing.kind, thing.name, {
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    const jobs = await Promise.all(uses.map(({ jobId }) => deps.jobs.get({ userId: project, jobId })));
    users.push(...jobs.flatMap((job) => (job && usesThing(job, thing) ? [job.jobId] : [])));
    after = uses.length === PAGE ? uses.at(-1)?.jobId : undefined;
  } while (after !== undefined && users.length < limit);
  return users.slice(0, limit);
}
