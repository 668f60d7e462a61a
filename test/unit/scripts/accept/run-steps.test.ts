import { everywhere, noProblems, onAws, type Step, type Wish } from '../../../../scripts/accept/check';
import type { Site } from '../../../../scripts/accept/site/site';
import { lineOf, markdownOf, summaryOf } from '../../../../scripts/accept/report/report';
import { exitCodeOf, runSteps } from '../../../../scripts/accept/run-steps';

const local = { kind: 'local', nowMs: () => 0 } as unknown as Site;
const aws = { kind: 'aws', nowMs: () => 0 } as unknown as Site;

const holds = () => Promise.resolve({ holds: true, detail: 'fine', figures: [1] });
const breaks = () => Promise.resolve({ holds: false, detail: 'two of three | lost' });
const stepOf = (name: string, ...checks: Step['checks'][number][]): Step => ({ name, title: name, checks });

async function run(steps: readonly Step[], site: Site, ...wishes: Wish[]) {
  const results = await runSteps(steps, site, {
    wishes: new Set(wishes),
    onStep: () => undefined,
    onResult: () => undefined,
  });
  return {
    results,
    outcomes: Object.fromEntries(results.map(({ check, outcome }) => [check, outcome])),
    code: exitCodeOf(results),
  };
}

test('what only AWS has is made there, and never passes in a local run', async () => {
  const steps = [stepOf('a', onAws('a/aws', 'A', holds), everywhere('a/all', 'A', holds))];
  expect(await run(steps, aws)).toMatchObject({
    outcomes: { 'a/aws': 'passed', 'a/all': 'passed' },
    code: 0,
  });
  const { outcomes, code } = await run(steps, local);
  expect([outcomes, code]).toEqual([{ 'a/aws': 'not applicable', 'a/all': 'passed' }, 0]);
});

test('a check that needs a flag is made with it alone, and says so', async () => {
  const steps = [stepOf('a', everywhere('a/b', 'A', holds, 'disturb', 'token'))];
  const { results } = await run(steps, local, 'token');
  expect(results[0]).toMatchObject({ outcome: 'not asked for', detail: 'needs --disturb' });
  expect((await run(steps, local, 'token', 'disturb')).outcomes).toEqual({ 'a/b': 'passed' });
});

test('a broken promise and an error fail the run, and the next steps are made', async () => {
  const throws = () => Promise.reject(new Error('AccessDenied: no'));
  const steps = [
    stepOf('a', everywhere('a/breaks', 'A', breaks), everywhere('a/throws', 'A', throws)),
    stepOf('b', everywhere('b/kept', 'B', holds)),
  ];
  const { results, outcomes, code } = await run(steps, local);
  expect([outcomes, code]).toEqual([{ 'a/breaks': 'failed', 'a/throws': 'failed', 'b/kept': 'passed' }, 1]);
  expect(results[1]!.detail).toBe('AccessDenied: no');
});

test('after a condition that does not hold, nothing more is run', async () => {
  const condition: Step = { ...stepOf('a', everywhere('a/breaks', 'A', breaks)), isCondition: true };
  const next = jest.fn(holds);
  const { outcomes, code } = await run([condition, stepOf('b', everywhere('b/next', 'B', next))], local);
  expect([outcomes, code]).toEqual([{ 'a/breaks': 'failed', 'b/next': 'not run' }, 1]);
  expect(next).not.toHaveBeenCalled();
});

test('the report names each check with its outcome, in a line and in a table', async () => {
  const steps = [stepOf('a', everywhere('a/b', 'Nothing is lost', breaks), onAws('a/c', 'C', holds))];
  const { results } = await run(steps, local);
  expect(summaryOf(results)).toBe('1 failed, 1 not applicable');
  expect(lineOf(results[0]!)).toContain('Nothing is lost: two of three | lost');
  const report = {
    ...({
      version: 1,
      stack: 'Quarterjack-dev',
      site: 'local',
      startedAt: 'now',
      endedAt: 'later',
    } as const),
    ...{ counts: {} as never, leftBehind: [], results },
  };
  expect(markdownOf(report)).toContain('| a/b | failed | two of three \\| lost |');
});

test('three problems are named, and the rest counted', () => {
  expect(noProblems([], 'fine')).toEqual({ holds: true, detail: 'fine' });
  expect(noProblems(['a', 'b', 'c', 'd', 'e'], 'fine')).toEqual({
    holds: false,
    detail: 'a; b; c; and 2 more',
  });
});
