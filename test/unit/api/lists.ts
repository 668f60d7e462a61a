import { type Answered, ApiWorld } from './world';

export const listJobs = (world: ApiWorld, query = '', user = 'alice') =>
  world.call('GET /v1/jobs', {}, undefined, { query, user });

export const jobIdsIn = ({ body }: Answered): string[] =>
  body.items.map(({ jobId }: { jobId: string }) => jobId);

/** All pages of a query, following the cursors. */
export async function allPages(page: (cursor: string) => Promise<Answered>): Promise<Answered[]> {
  const pages = [await page('')];
  while (pages.at(-1)!.body.nextCursor !== null) {
    if (pages.length > 50) throw new Error('the list does not end');
    pages.push(await page(`&cursor=${pages.at(-1)!.body.nextCursor as string}`));
  }
  return pages;
}

export const jobIdAt = (at: number): string => `job-${String(at).padStart(3, '0')}`;

/** An API with this many jobs, `job-000` and on. */
export async function worldWithJobs(
  count: number,
  body: (at: number) => object = () => ({}),
): Promise<ApiWorld> {
  const world = new ApiWorld();
  for (let at = 0; at < count; at++) await world.create({ jobId: jobIdAt(at), ...body(at) });
  return world;
}
