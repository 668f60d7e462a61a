import { DAY_MS, MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { PipelineWorld } from '../../support/pipeline-world';

const RETENTION_MS = 30 * DAY_MS;
/** A run lasts at most 30 days, and may have started right before its version was replaced. */
const LONGEST_RUN_MS = 30 * DAY_MS;
/** From then on, no request is at work that has begun before. */
const SETTLED_MS = 11 * MINUTE_MS;

const target = { type: 'http', url: 'https://example.com/hook' };
const JOB = { jobId: 'etl' };
const withTask = (task: string) => ({
  schedule: { type: 'cron', expression: '0 9 * * *' },
  workflow: { tasks: { [task]: { target } } },
});

const put = (world: PipelineWorld, task: string) => world.api('putJob', JOB, withTask(task));

const versionsIn = (world: PipelineWorld) =>
  world.tables.rows('executions', ({ jobId }) => jobId === '#flow#alice/etl');

const namedIn = (world: PipelineWorld): string | undefined => {
  const job = world.tables.row('jobs', { userId: 'alice', ...JOB });
  return (job?.workflow as { version: string } | undefined)?.version;
};

const usesOfVersions = (world: PipelineWorld) =>
  world.tables
    .rows('jobs', ({ jobId }) => String(jobId).startsWith('#uses#flow/'))
    .map(({ jobId }) => String(jobId).split('/')[1]);

async function auditLater(world: PipelineWorld): Promise<void> {
  await world.clock.advance(SETTLED_MS);
  await world.clock.settle(world.audit());
}

/** The version that the job names stays, and no other: none is lost, and none is kept for ever. */
function expectBounded(world: PipelineWorld): void {
  const named = namedIn(world);
  const staying = versionsIn(world).filter(({ expiresAtSec }) => expiresAtSec === undefined);
  expect(staying.map(({ execId }) => execId)).toEqual(named === undefined ? [] : [named]);
  for (const { execId, expiresAtSec } of versionsIn(world))
    if (execId !== named)
      expect((expiresAtSec as number) * 1_000 - world.clock.nowMs()).toBeGreaterThan(
        LONGEST_RUN_MS + RETENTION_MS,
      );
}

test('a version that was replaced expires once no run needs it, and one that comes back stays', async () => {
  const world = await PipelineWorld.started();
  await put(world, 'load');
  const first = namedIn(world);
  await put(world, 'copy');
  await auditLater(world);
  expectBounded(world);
  expect([versionsIn(world).length, usesOfVersions(world)]).toEqual([2, [namedIn(world)]]);
  await put(world, 'load');
  await auditLater(world);
  expectBounded(world);
  expect([namedIn(world), usesOfVersions(world)]).toEqual([first, [first]]);
});

test.each(['create', 'change', 'delete'] as const)(
  'no version stays, and none is lost, if the process dies between any two writes of a %s',
  async (kind) => {
    let deaths = 0;
    let left = 0;
    for (let isOver = false; !isOver;) {
      const world = await PipelineWorld.started();
      if (kind !== 'create') await put(world, 'load');
      let writes = 0;
      world.onCall = (stage, { command }, kill) => {
        if (stage !== 'api' || !/^(Put|Update|Delete|BatchWrite)/.test(command)) return;
        if (++writes > deaths) kill();
      };
      const request = kind === 'delete' ? world.api('deleteJob', JOB) : put(world, 'copy');
      void request.then(() => (isOver = true));
      for (let waits = 0; waits < 40 && !isOver; waits++) await world.clock.advance(50);
      world.onCall = undefined;
      if (!isOver) deaths++;
      if (versionsIn(world).some(({ execId }) => execId !== namedIn(world))) left++;
      await auditLater(world);
      expectBounded(world);
      expect(usesOfVersions(world)).toEqual([namedIn(world)].filter((one) => one !== undefined));
    }
    expect(deaths).toBeGreaterThan(2);
    expect(left).toBeGreaterThan(0);
  },
);

test('a save that has lost a race leaves no version', async () => {
  const world = await PipelineWorld.started();
  const { headers } = await put(world, 'load');
  const saves = ['copy', 'check'].map((task) =>
    world.api('putJob', JOB, withTask(task), { 'if-match': headers!.etag! }),
  );
  const statuses = (await world.clock.settle(Promise.all(saves))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 412]);
  expect(versionsIn(world)).toHaveLength(3);
  await auditLater(world);
  expectBounded(world);
});

test('a version stays if a save names it again while the auditor reads', async () => {
  const world = await PipelineWorld.started();
  await put(world, 'load');
  const first = namedIn(world);
  await put(world, 'copy');
  await world.clock.advance(SETTLED_MS);
  let save: Promise<unknown> | undefined;
  const isOfVersion = (key: unknown) => (key as { execId?: string } | undefined)?.execId === first;
  world.onCall = (stage, { command, input }, kill) => {
    // the auditor has read that the job names another one, and stops right before it lets this one expire
    if (stage !== 'auditor' || save || command !== 'UpdateCommand' || !isOfVersion(input.Key)) return;
    kill();
    save = put(world, 'load');
  };
  void world.audit();
  await world.clock.advance(MINUTE_MS);
  await save;
  expect(namedIn(world)).toBe(first);
  const at = { savedBeforeMs: world.clock.nowMs() - 10 * MINUTE_MS, expiresAtSec: 1 };
  expect(await world.deps.flows.expire('alice/etl', first!, at)).toBe('saved-later');
  world.onCall = undefined;
  await auditLater(world);
  expectBounded(world);
});
