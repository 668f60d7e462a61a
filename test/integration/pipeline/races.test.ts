import { FakeRandom } from '../../support/fake-random';
import { T0_MS } from '../../support/factories';
import { PipelineWorld } from '../../support/pipeline-world';

const MINUTE_MS = 60_000;
const MINUTES = 12;
/** A delete makes several calls one after the other, each up to 600 ms long. */
const DELETE_MS = 6_000;
const ref = { jobId: 'contended' };
const target = { type: 'http', url: 'https://example.com/hook' };

interface Change {
  kind: 'payload' | 'pause' | 'resume' | 'run' | 'delete';
  /** Only for `payload`. */
  version?: number;
  invokedMs: number;
  answeredMs: number;
  status: number;
}

/**
 * Several clients change one job around its due times, over a store that answers each call up to 300 ms late.
 * The result must be one that some sequential order of the changes explains. So no delivery may ignore a
 * change that was answered before its claim, or show a change that was requested after its call.
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
  await world.run(DELETE_MS);
  expect((await deleting).status).toBe(204);
  changes.push({ kind: 'delete', invokedMs, answeredMs: invokedMs + DELETE_MS, status: 204 });
  await world.run(5 * MINUTE_MS);
  return { world, changes, delivered, rows: world.executions({ userId: 'alice', jobId: ref.jobId }) };
}

describe.each(Array.from({ length: 12 }, (_, index) => index + 1))('seed %i', (seed) => {
  test('changes by several clients around the due times are linearizable', async () => {
    const { changes, delivered, rows } = await hammer(seed);
    const done = changes.filter(({ status }) => status < 300);
    const claimedMs = new Map(rows.map((row) => [row.execId, row.startedAtMs ?? 0]));
    const isManual = new Map(rows.map((row) => [row.execId, row.trigger === 'manual']));

    expect(new Set(delivered.map(({ execId }) => execId)).size).toBe(delivered.length);
    for (const { execId, version, atMs } of delivered) {
      const claim = claimedMs.get(execId)!;
      // The definition is neither one that was replaced before the claim nor one that was requested later.
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
      // No delivery after a pause that was answered before the claim, unless a resume followed.
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
