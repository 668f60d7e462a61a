import { FakeRandom } from '../../support/fake-random';
import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const MINUTES = 12;
const ref = { jobId: 'contended' };
const target = { type: 'http', url: 'https://example.com/hook' };

interface Change {
  kind: 'payload' | 'pause' | 'resume' | 'run' | 'delete';
  /** Of `payload`. */
  version?: number;
  invokedMs: number;
  answeredMs: number;
  status: number;
}

/**
 * Several clients change one job around its due times, over a store that answers each call up to 300 ms late. Whatever
 * happens must be one of the orders that could have happened one at a time: judged by what each change had answered
 * before an execution was claimed, and by what had not been asked for when its target was called.
 */
async function hammer(seed: number) {
  const world = await PipelineWorld.started(1);
  const random = new FakeRandom(seed);
  const delivered: { version: number; atMs: number; execId: string }[] = [];
  world.observe = (delivery) => {
    const { version } = JSON.parse(delivery.body.toString()) as { version: number };
    delivered.push({
      version,
      atMs: world.clock.nowMs(),
      execId: delivery.headers['quarterjack-execution']!,
    });
  };
  const body = {
    ...ref,
    schedule: { type: 'cron', expression: '* * * * *' },
    target,
    payload: { version: 0 },
  };
  expect((await world.api('createJob', {}, body)).status).toBe(201);
  const slow = () => world.clock.sleep(random.between(0, 300));
  world.dynamo.faults = { before: slow, after: slow };

  const changes: Change[] = [];
  let versions = 0;
  const client = async () => {
    for (let minute = 1; minute <= MINUTES; minute++) {
      const aroundMs = T0_MS + minute * MINUTE_MS + random.between(-1_500, 1_500);
      await world.clock.sleep(aroundMs - world.clock.nowMs());
      const kind = random.pick(['payload', 'payload', 'pause', 'resume', 'resume', 'run'] as const);
      const version = kind === 'payload' ? ++versions : undefined;
      const invokedMs = world.clock.nowMs();
      const answer =
        kind === 'payload'
          ? await world.api('patchJob', ref, { payload: { version } })
          : await world.api(({ pause: 'pauseJob', resume: 'resumeJob', run: 'runJob' } as const)[kind], ref);
      changes.push({ kind, version, invokedMs, answeredMs: world.clock.nowMs(), status: answer.status });
    }
  };
  const clients = [client(), client(), client()];
  await world.run((MINUTES + 1) * MINUTE_MS);
  await Promise.all(clients);
  const invokedMs = world.clock.nowMs();
  const deleting = world.api('deleteJob', ref);
  await world.run(2_000);
  expect((await deleting).status).toBe(204);
  changes.push({ kind: 'delete', invokedMs, answeredMs: invokedMs + 2_000, status: 204 });
  await world.run(5 * MINUTE_MS);
  return { world, changes, delivered, rows: world.executions({ userId: 'alice', jobId: ref.jobId }) };
}

describe.each(Array.from({ length: 12 }, (_, index) => index + 1))('seed %i', (seed) => {
  test('whatever several clients do around the due times could have happened one at a time', async () => {
    const { changes, delivered, rows } = await hammer(seed);
    const done = changes.filter(({ status }) => status < 300);
    const claimedMs = new Map(rows.map((row) => [row.execId, row.startedAtMs ?? 0]));
    const isManual = new Map(rows.map((row) => [row.execId, row.trigger === 'manual']));

    expect(new Set(delivered.map(({ execId }) => execId)).size).toBe(delivered.length);
    for (const { execId, version, atMs } of delivered) {
      const claim = claimedMs.get(execId)!;
      // The definition: not one that another had replaced for good before the claim, nor one still to come.
      const own = done.find((change) => change.version === version);
      expect(own === undefined ? 0 : own.invokedMs).toBeLessThanOrEqual(atMs);
      const replacedBefore = done.some(
        (change) =>
          change.kind === 'payload' &&
          change.answeredMs < claim &&
          change.invokedMs > (own?.answeredMs ?? 0) &&
          change.version !== version,
      );
      expect({ execId, version, replacedBefore }).toEqual({ execId, version, replacedBefore: false });
      // Not after a pause that had answered before the claim, with no resume since.
      if (isManual.get(execId)) continue;
      const pausedBefore = done.some(
        (pause) =>
          pause.kind === 'pause' &&
          pause.answeredMs < claim &&
          !done.some(
            ({ kind, answeredMs, invokedMs: at }) =>
              kind === 'resume' && answeredMs > pause.invokedMs && at < atMs,
          ),
      );
      expect({ execId, pausedBefore }).toEqual({ execId, pausedBefore: false });
    }

    const { answeredMs: deletedMs } = changes.at(-1)!;
    expect(delivered.filter(({ execId }) => claimedMs.get(execId)! > deletedMs)).toEqual([]);
    const accepted = done.filter(({ kind }) => kind === 'run').length;
    expect(rows.filter(({ trigger }) => trigger === 'manual')).toHaveLength(accepted);
    expect(rows.filter(({ status }) => !['succeeded', 'skipped', 'cancelled'].includes(status))).toEqual([]);
    expect(delivered.length).toBeGreaterThan(0);
  });
});
