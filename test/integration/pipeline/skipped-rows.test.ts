import { mergeSkipped } from '../../../lambdas/api/executions/merge-skipped-ranges';
import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { scheduleOf } from '../../../lambdas/core/domain/entry-planning';
import { recheckEntryNow } from '../../../lambdas/core/queue/attempt-entries';
import { recordSkippedRange } from '../../../lambdas/core/ending/skip-ranges';
import { coveringRow } from '../../../lambdas/core/history/coverage';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import { aMessage, T0_MS } from '../../support/factories';
import { isClaim } from '../../support/fault-points';
import { newJobAt } from '../../support/new-job';
import { PipelineWorld } from '../../support/pipeline-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const every = (period: string) => ({
  type: 'interval' as const,
  every: period,
  anchor: new Date(T0_MS).toISOString(),
});
const dueAt = (seconds: number) => T0_MS + seconds * SECOND_MS;

/**
 * A ten-second job that no stage has processed for five minutes, so it has only the rows that a test writes.
 */
async function neglected(): Promise<{ world: PipelineWorld; job: Job }> {
  const world = await PipelineWorld.started(1);
  const job = newJobAt(world, { schedule: every('10s') });
  await world.deps.jobs.create(job);
  Object.assign(world.on, { tick: false, sweep: false });
  await world.run(5 * MINUTE_MS);
  return { world, job };
}

const brief = (executions: readonly Execution[]) =>
  executions.map(({ dueAtMs, status, skipped }) => [(dueAtMs - T0_MS) / SECOND_MS, status, skipped?.count]);
const rows = (world: PipelineWorld, job: Job) => brief(world.executions(job));

/** The merged list as the API returns it. It must not depend on the sort order. */
function listed(world: PipelineWorld, job: Job) {
  const ascending = mergeSkipped(world.executions(job), scheduleOf(job), 'asc');
  const descending = mergeSkipped(world.executions(job).reverse(), scheduleOf(job), 'desc');
  expect(brief(descending).reverse()).toEqual(brief(ascending));
  return brief(ascending);
}

/** Delivers the message of an occurrence, minutes late. */
async function deliver(world: PipelineWorld, dueAtMs: number): Promise<void> {
  await world.queue.send([{ message: aMessage({ dueAtMs }), delaySec: 0 }]);
  await world.run(2 * SECOND_MS);
}

/** Does something once, between the decision to claim and the write of the claim. */
function beforeClaim(world: PipelineWorld, act: () => Promise<unknown>): void {
  world.dynamo.faults = {
    async before(call) {
      if (!isClaim(call)) return;
      world.dynamo.faults = {};
      await act();
    },
  };
}

const TEN_TO_FIFTY = { fromMs: dueAt(10), toMs: dueAt(50) };

/** The row of a range is written before a claim. The rest of its recording goes on after the claim. */
function rangeAroundClaim(
  world: PipelineWorld,
  job: Job,
  afterClaim: (kill: () => void) => void = () => undefined,
): { decided: Promise<unknown> } {
  let claimed = () => undefined as void;
  const isClaimed = new Promise<void>((resolve) => (claimed = resolve));
  const { ends } = world.deps;
  const putEnded = ends.putEnded;
  const decided = new Promise((resolve, reject) => {
    beforeClaim(
      world,
      () =>
        new Promise<void>((written) => {
          ends.putEnded = async (row) => {
            const result = await putEnded(row);
            written();
            await isClaimed;
            return result;
          };
          recordSkippedRange(job, TEN_TO_FIFTY, { reason: 'misfire' }, world.deps).then(resolve, reject);
        }),
    );
  });
  world.onExecutorCall = ({ command }, kill) => {
    if (command !== 'BatchGetCommand' || world.dynamo.faults.before) return;
    world.onExecutorCall = undefined;
    claimed();
    afterClaim(kill);
  };
  return { decided };
}

test('a message whose occurrence is within a skipped range runs nothing', async () => {
  const { world, job } = await neglected();
  await recordSkippedRange(job, TEN_TO_FIFTY, { reason: 'misfire' }, world.deps);
  await deliver(world, dueAt(30));
  expect(world.calls).toEqual([]);
  expect(rows(world, job)).toEqual([[10, 'skipped', 5]]);
});

describe('a late claim and a skipped range at the same moment', () => {
  test('the range is first: the claimed occurrence is not called, and the tail of the range is recorded again', async () => {
    const { world, job } = await neglected();
    const { decided } = rangeAroundClaim(world, job);
    await deliver(world, dueAt(30));
    await decided;
    expect(world.calls).toEqual([]);
    expect(rows(world, job)).toEqual([
      [10, 'skipped', 5],
      [30, 'skipped', undefined],
      [40, 'skipped', 2],
    ]);
    expect(listed(world, job)).toEqual([[10, 'skipped', 5]]);
  });

  test('the range is first, and the executor dies after its claim: the takeover calls nothing', async () => {
    const { world, job } = await neglected();
    let died = false;
    const { decided } = rangeAroundClaim(world, job, (kill) => {
      died = true;
      kill();
    });
    await deliver(world, dueAt(30));
    await decided;
    expect(died).toBe(true);
    const [, claimed] = world.executions(job);
    expect(claimed).toMatchObject({ status: 'running', dueAtMs: dueAt(30) });
    await world.deps.schedule.putEntries([await recheckEntryNow(claimed!, world.deps)]);
    world.on.sweep = true;
    await world.run(3 * MINUTE_MS);
    expect(world.calls).toEqual([]);
    expect(rows(world, job)).toEqual([
      [10, 'skipped', 5],
      [30, 'skipped', undefined],
      [40, 'skipped', 2],
    ]);
    expect(listed(world, job)).toEqual([[10, 'skipped', 5]]);
  });

  test('the range is whole and the schedule has changed: the claimed row does not end the range', async () => {
    const { world, job } = await neglected();
    let changed = 0;
    beforeClaim(world, async () => {
      await recordSkippedRange(job, TEN_TO_FIFTY, { reason: 'misfire' }, world.deps);
      const schedule = { type: 'cron', expression: '0 3 * * *' };
      changed = (await world.api('patchJob', { jobId: job.jobId }, { schedule })).status;
    });
    await deliver(world, dueAt(30));
    expect(changed).toBe(200);
    expect(world.calls).toEqual([]);
    expect(rows(world, job)).toEqual([
      [10, 'skipped', 5],
      [30, 'skipped', undefined],
    ]);
    const jobKey = jobKeyOf(job);
    for (const seconds of [10, 20, 30, 40, 50])
      expect(await coveringRow({ jobKey, dueAtMs: dueAt(seconds) }, world.deps)).toBeDefined();
    expect(await coveringRow({ jobKey, dueAtMs: dueAt(60) }, world.deps)).toBeUndefined();
  });

  test('the claim is first: it runs, and the range is recorded around it', async () => {
    const { world, job } = await neglected();
    const { ends } = world.deps;
    const putEnded = ends.putEnded;
    let delivering: Promise<void> | undefined;
    ends.putEnded = async (row) => {
      delivering ??= deliver(world, dueAt(30));
      await delivering;
      return putEnded(row);
    };
    await recordSkippedRange(job, TEN_TO_FIFTY, { reason: 'misfire' }, world.deps);
    expect(world.calls.map(({ dueAtMs }) => dueAtMs)).toEqual([dueAt(30)]);
    expect(rows(world, job)).toEqual([
      [10, 'skipped', 5],
      [30, 'succeeded', undefined],
      [40, 'skipped', 2],
    ]);
    expect(listed(world, job)).toEqual([
      [10, 'skipped', 2],
      [30, 'succeeded', undefined],
      [40, 'skipped', 2],
    ]);
  });
});

test('a late message of a changed schedule leaves no open execution, wherever its executor dies', async () => {
  for (let awaits = 0; awaits < 12; awaits++) {
    const world = await PipelineWorld.started(1);
    const at = (minutes: number) => new Date(T0_MS + minutes * MINUTE_MS).toISOString();
    const job = await world.create(newJobAt(world, { schedule: { type: 'at', at: at(3) } }));
    await world.api('patchJob', { jobId: job.jobId }, { schedule: { type: 'at', at: at(90) } });
    world.queue.purge();
    await world.run(10 * MINUTE_MS); // its entry was found outdated, and settled
    let calls = 0;
    world.onExecutorCall = (_, kill) => (calls++ === awaits ? kill() : undefined);
    await world.queue.send([
      { message: aMessage({ dueAtMs: T0_MS + 3 * MINUTE_MS, revision: job.revision }), delaySec: 0 },
    ]);
    await world.run(15 * MINUTE_MS);
    expect(world.calls).toEqual([]);
    const open = world.executions(job).filter(({ status }) => status !== 'skipped');
    expect(open).toEqual([]);
    if (calls <= awaits) break;
  }
});

describe('what a change has skipped is one record', () => {
  const schedule = { type: 'interval', every: '10s' };
  const target = { type: 'http', url: 'https://example.com/hook' };
  const begun = async (): Promise<PipelineWorld> => {
    const world = await PipelineWorld.started(1);
    await world.api('createJob', {}, { jobId: 'a', schedule, target });
    await world.run(25 * SECOND_MS);
    return world;
  };
  const skips = async (world: PipelineWorld) => {
    const { body } = await world.api('listExecutions', { jobId: 'a' });
    const { items } = body as {
      items: { execId: string; status: string; reason: string; skipped: object }[];
    };
    return items.filter(({ status }) => status === 'skipped');
  };

  test('of a deleted job', async () => {
    const world = await begun();
    await world.api('deleteJob', { jobId: 'a' });
    await world.run(5 * MINUTE_MS);
    const written = world
      .executions({ userId: 'alice', jobId: 'a' })
      .filter(({ status }) => status === 'skipped');
    expect(written.length).toBeGreaterThan(1);
    const [one, ...others] = await skips(world);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ reason: 'deleted', skipped: { count: written.length } });
    const { body } = await world.api('getExecution', { jobId: 'a', execId: one!.execId });
    expect(body).toMatchObject({ skipped: one!.skipped });
  });

  test('of former schedules, up to the next execution of the new one', async () => {
    const world = await begun();
    for (const every of ['7m', '1h']) await world.api('patchJob', { jobId: 'a' }, { schedule: { every } });
    await world.run(5 * MINUTE_MS);
    const written = world
      .executions({ userId: 'alice', jobId: 'a' })
      .filter(({ reason }) => reason === 'superseded');
    expect(written.length).toBeGreaterThan(1);
    const [one, ...others] = await skips(world);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ reason: 'superseded', skipped: { count: written.length } });
  });
});
