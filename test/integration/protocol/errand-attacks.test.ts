import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import {
  diesAfterStart,
  eventOf,
  nameOf,
  rowOf,
  untilStarted,
  worldWith as worldWithErrand,
} from '../../support/errand-world';

/*
 * What could go wrong with work that is waited for, by its number, and the tests that show that it does not.
 * Each names a file below `test/` and a part of a test's name.
 */
const HERE = 'integration/protocol/errand-attacks.test.ts';
const ERRANDS = 'integration/protocol/errands.test.ts';
const WRITES = 'integration/protocol/errand-writes.test.ts';
const WORKS = 'integration/protocol/work-errands.test.ts';
const ECS = 'integration/protocol/ecs-errands.test.ts';
const ATTACKS: readonly [number: number, attack: string, ...tests: [file: string, name: string][]][] = [
  [1, 'an executor dies between start and delegation', [WRITES, 'an executor that dies before']],
  [
    2,
    'a start without an answer has begun',
    [ERRANDS, 'a start that gets no answer is no end'],
    [WORKS, 'a start without an answer is made once'],
  ],
  [3, 'a takeover finds a forgotten token', [ECS, 'a token that ECS may have forgotten starts nothing']],
  [
    4,
    'the job changes between two tries',
    [ERRANDS, 'with another input, the errand of an earlier attempt'],
    [HERE, 'a job that calls something else now'],
  ],
  [
    5,
    'ECS repeats a refusal',
    [ERRANDS, 'a refused start is a failed attempt, and the next one has another'],
  ],
  [6, 'an event comes before the delegation', [ERRANDS, 'whose end came before the delegation']],
  [7, 'the event is lost, and the task is forgotten', [ECS, 'a task that ECS may have forgotten is lost']],
  [
    8,
    'an event is foreign, old or doubled',
    [ERRANDS, 'an event %s settles nothing'],
    [WORKS, 'the end of a copy, which has the same name'],
    [HERE, 'an event that comes twice'],
  ],
  [9, 'no question is answered', [ERRANDS, 'an errand that is lost from sight keeps its name']],
  [10, 'a time-out begins another attempt', [ERRANDS, 'no other attempt begins before it has ended']],
  [
    11,
    'a cancel falls between start and claim, or into the start',
    [ERRANDS, 'that is cancelled while it waits ends once'],
    [HERE, 'a cancellation during the start does not cut it short'],
  ],
  [
    12,
    'a key is held for longer than it is kept',
    ['unit/api/jobs/bad-errands.ts', 'a key that would be held'],
  ],
  [
    13,
    'a restore runs it again',
    ['integration/pipeline/restore.test.ts', 'an errand that has ended since'],
    ['integration/pipeline/restore.test.ts', 'an errand that ran then, and has ended since'],
    ['integration/pipeline/restore.test.ts', 'a run of Glue that has begun since begins again'],
  ],
  [
    14,
    'a project runs the work of another, or its own code',
    ['integration/local/errands.test.ts', 'a target with another %s is refused'],
    ['unit/api/jobs/bad-errands.ts', 'other code for a run of Glue'],
    ['template/policies.test.ts', 'no role has both'],
    ['integration/local/errand-access.test.ts', 'another project may not name what billing may start'],
  ],
  [15, 'the watcher cannot handle a message', [HERE, 'a message that fails goes back alone']],
  [16, 'more probes are due than are allowed', [ERRANDS, 'a probe that is put off comes at its next time']],
  [
    17,
    'the service runs it again by itself',
    ['unit/core/delivery/errands/works.test.ts', 'a failed run of a job with MaxRetries %i says so'],
    ['template/works.test.ts', 'a Glue job that Glue runs again by itself is warned of'],
    [HERE, 'the docs ask for no retries of the service'],
  ],
  [
    18,
    'a signature goes to a stranger',
    ['integration/local/signed-targets.test.ts', 'no signature goes to a stranger'],
    ['unit/core/delivery/call/signed-target.test.ts', 'a redirect is not followed'],
  ],
  [
    19,
    'a name leads from a VPC to metadata',
    ['unit/core/delivery/private-reach.test.ts', 'a name that changes'],
  ],
  [20, 'a description is stale after the end', [HERE, 'a probe that still sees it run']],
];

test.each(ATTACKS)('%i: %s', (_number, _attack, ...tests) => {
  for (const [file, name] of tests)
    expect(readFileSync(join(__dirname, '../..', file), 'utf8')).toContain(name);
});

test('the docs ask for no retries of the service', () => {
  const page = readFileSync(join(__dirname, '../../../docs/batch-glue-codebuild.md'), 'utf8');
  expect(page).toMatch(/`MaxRetries` of a Glue job.* to 0/s);
});

test('a job that calls something else now: its errand is asked for, and ends the attempt', async () => {
  const { world, job } = await worldWithErrand();
  diesAfterStart(world);
  await untilStarted(world);
  const target = { type: 'http', url: 'https://example.com/hook' };
  await world.api('patchJob', { jobId: job.jobId }, { target });
  await world.run(4 * MINUTE_MS);
  expect(rowOf(world, job).delegatedTo?.errand).toMatchObject({ type: 'stepfunctions', unresolved: true });
  await world.errands.watch(eventOf(nameOf(world, job), 'succeeded'));
  const outcomes = rowOf(world, job).attempts.map(({ outcome }) => outcome);
  expect([rowOf(world, job).status, outcomes]).toEqual(['succeeded', ['lost', 'succeeded']]);
});

test('a cancellation during the start does not cut it short, and what has begun is stopped', async () => {
  const { world, job } = await worldWithErrand();
  const aborted: boolean[] = [];
  // The heartbeat after 8 s learns of the cancellation, and by then the second try is under way.
  world.errands.onStart = async (_, signal) => {
    const isFirst = aborted.length === 0;
    const { execId } = rowOf(world, job);
    if (isFirst) await world.api('cancelExecution', { jobId: job.jobId, execId });
    await world.clock.sleep(5 * SECOND_MS);
    aborted.push(signal.aborted);
    return isFirst ? { how: 'unknown', error: 'reset' } : { how: 'started' };
  };
  await untilStarted(world);
  await world.run(10 * SECOND_MS);
  expect(aborted).toEqual([false, false]);
  expect(rowOf(world, job)).toMatchObject({ status: 'running', delegatedTo: { errand: {} } });
  expect(rowOf(world, job).delegatedTo?.errand?.unresolved).toBeUndefined();
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(world.errands.stopped).not.toEqual([]);
  expect(rowOf(world, job).status).toBe('running');
  await world.errands.watch(eventOf(nameOf(world, job), 'stopped'));
  expect(rowOf(world, job)).toMatchObject({ status: 'cancelled', reason: 'cancelled-by-user' });
});

test('an event that comes twice ends one attempt', async () => {
  const { world, job } = await worldWithErrand();
  await untilStarted(world);
  const event = eventOf(nameOf(world, job), 'failed', { error: 'no' });
  await world.errands.watch(event);
  await world.errands.watch(event);
  expect(rowOf(world, job).attempts).toHaveLength(1);
});

test('a message that fails goes back alone, and is handled later', async () => {
  const { world, job } = await worldWithErrand();
  await untilStarted(world);
  const event = eventOf(nameOf(world, job), 'succeeded');
  const { ofEvent } = world.errands.probes;
  world.errands.probes.ofEvent = async () => {
    throw new Error('no');
  };
  expect(await world.errands.watch(event)).toEqual({ failedIds: ['message'] });
  world.errands.probes.ofEvent = ofEvent;
  expect(await world.errands.watch(event)).toEqual({ failedIds: [] });
  expect(rowOf(world, job).status).toBe('succeeded');
});

test('a probe that still sees it run after its end settles nothing, and the event does', async () => {
  const { world, job } = await worldWithErrand();
  await untilStarted(world);
  world.errands.onProbe = () => ({ state: 'running' });
  await world.run(2 * MINUTE_MS);
  await world.errands.probe();
  expect(rowOf(world, job).status).toBe('running');
  await world.errands.watch(eventOf(nameOf(world, job), 'succeeded'));
  await world.errands.probe();
  expect(rowOf(world, job).status).toBe('succeeded');
});
