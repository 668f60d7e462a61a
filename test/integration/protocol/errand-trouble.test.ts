import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { nameOf, rowOf, untilStarted, worldWith } from '../../support/errand-world';
import type { PipelineWorld } from '../../support/pipeline-world';

/* What an execution shows while its service does not say how an errand is. */

const probeEachMinute = async (world: PipelineWorld, minutes: number): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    await world.run(MINUTE_MS);
    await world.errands.probe();
  }
};

test.each([
  ['a question that is denied', { state: 'unknown', error: 'AccessDenied' }],
  ['a question that is throttled', { state: 'unknown', error: 'AccessDenied', isThrottled: true }],
] as const)('%s is shown since the first one, until one is answered', async (_, seen) => {
  const { world, job } = await worldWith();
  world.errands.onProbe = () => seen;
  await untilStarted(world);
  await probeEachMinute(world, 2);
  const trouble = () => rowOf(world, job).delegatedTo?.errand?.trouble;
  expect(trouble()?.error).toBe('AccessDenied');
  const { sinceMs } = trouble()!;
  world.errands.onProbe = () => ({ state: 'unknown', error: 'no answer' });
  await probeEachMinute(world, 4);
  expect(trouble()).toEqual({ error: 'no answer', sinceMs });
  const { execId } = rowOf(world, job);
  const { body } = await world.api('getExecution', { jobId: job.jobId, execId });
  const since = new Date(sinceMs).toISOString();
  expect(body).toMatchObject({ errand: { trouble: { error: 'no answer', since } } });
  world.errands.onProbe = () => ({ state: 'running' });
  await probeEachMinute(world, 5);
  expect(trouble()).toBeUndefined();
});

test('the same answer again writes nothing', async () => {
  const { world } = await worldWith();
  world.errands.onProbe = () => ({ state: 'unknown', error: 'AccessDenied' });
  await untilStarted(world);
  await probeEachMinute(world, 2);
  const writes: string[] = [];
  world.onCall = (stage, { command }) => {
    if (stage === 'watcher' && command.startsWith('Update')) writes.push(command);
  };
  const asked = world.errands.questions.length;
  await probeEachMinute(world, 5);
  expect(world.errands.questions.length).toBeGreaterThan(asked);
  expect(writes).toEqual([]);
});

test('a stop that is refused is shown', async () => {
  const { world, job } = await worldWith();
  world.errands.probes.stop = async () => {
    throw new Error('may not stop it');
  };
  await untilStarted(world);
  const { execId } = rowOf(world, job);
  await world.api('cancelExecution', { jobId: job.jobId, execId });
  await probeEachMinute(world, 2);
  expect(rowOf(world, job)).toMatchObject({ status: 'running' });
  expect(rowOf(world, job).delegatedTo?.errand?.trouble?.error).toBe('not stopped: Error: may not stop it');
});

test('a start without an answer is lost from sight after an hour, whatever its service answers', async () => {
  const { world, job } = await worldWith({ timeout: '6h' });
  world.errands.onStart = () => ({ how: 'unknown', error: 'reset' });
  let answers = 0;
  world.errands.onProbe = () => ({ state: 'unknown', error: `request ${answers++} denied` });
  await untilStarted(world);
  await probeEachMinute(world, 58);
  expect(rowOf(world, job)).toMatchObject({ status: 'running' });
  expect(answers).toBeGreaterThan(50);
  await probeEachMinute(world, 4);
  expect(rowOf(world, job)).toMatchObject({ status: 'failed', reason: 'lost-sight' });
  expect(nameOf(world, job)).toMatch(/-0$/);
}, 30_000);
