import { authorizationOf, isUnavailable, type requestTo } from './requests';

type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => ReturnType<typeof requestTo>;

/** Above the per-user rate limit of all shards together, which is 13 a second in each of four. */
const CROWD = 60;
const TRIES = 5;

/**
 * Creates many jobs of another user that are due at once: more than the per-user rate limit. If the machine
 * was too slow for some of them, another crowd comes.
 */
export async function makeCrowd(api: Api, name: string, definition: () => object): Promise<void> {
  const authorization = await authorizationOf('crowd', 'jobs:write');
  for (let tries = 1; ; tries++) {
    const common = definition();
    const jobs = Array.from({ length: CROWD }, (_, index) => ({
      jobId: `${name}-${tries}-${index}`,
      ...common,
    }));
    const { body } = await api('POST', '/v1/jobs/batch', { jobs }, { authorization });
    const refused = body.outcomes.filter(({ status }: { status: number }) => status !== 201);
    if (refused.length === 0) return;
    if (tries === TRIES || !refused.every(isUnavailable))
      throw new Error(`not made: ${JSON.stringify(refused[0])}`);
  }
}
