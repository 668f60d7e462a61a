import { HOUR_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import { newJobAt } from '../../support/new-job';
import { offered } from '../../support/offered-work';
import { PipelineWorld } from '../../support/pipeline-world';

const paces = (world: PipelineWorld, of: { userId: string; jobId: string }) =>
  world.executions(of).map(({ status, pace }) => `${status} ${pace}`);

describe('work with expectDuration that its worker gave back', () => {
  const overrides = {
    expectDuration: { max: '1h' },
    retry: { ...newJobAt(new PipelineWorld(1), {}).retry, maxAttempts: 1 },
  };

  it('counts from the claim that began it', async () => {
    const { world, job, claim, report } = await offered(overrides);
    const [unbegun] = await claim();
    await report('releaseWork', unbegun!);
    await world.run(3 * HOUR_MS);
    const [work] = await claim();
    await world.run(30 * SECOND_MS);
    await report('completeAttempt', work!);
    expect(paces(world, job)).toEqual(['succeeded undefined']);
  });

  it('counts so after a retry by its user too', async () => {
    const { world, job, claim, report } = await offered(overrides);
    const [failed] = await claim();
    await report('failAttempt', failed!, { error: 'disk full', retriable: false });
    await world.run(2 * HOUR_MS);
    const { jobId } = job;
    const { execId } = world.executions(job)[0]!;
    expect((await world.api('retryExecution', { jobId, execId })).status).toBe(202);
    await world.run(2 * SECOND_MS);
    const [unbegun] = await claim();
    await report('releaseWork', unbegun!);
    await world.run(2 * SECOND_MS);
    const begunAtMs = world.clock.nowMs();
    const [work] = await claim();
    await world.run(30 * SECOND_MS);
    await report('completeAttempt', work!);
    expect(paces(world, job)).toEqual(['succeeded undefined']);
    const shown = await world.api('getExecution', { jobId, execId });
    expect(shown.body).toMatchObject({ retriedAt: new Date(begunAtMs).toISOString() });
  });
});
