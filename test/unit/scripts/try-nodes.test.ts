import { type Suite, tryNodes } from '../../../scripts/other-nodes/try-nodes.mjs';

const SUITES = ['local run', 'client'].map((name) => ({ name, args: [name] }));

/** What is printed, which suites ran with which program, and the exit code. */
async function tried(exitCodes: Record<string, number>, unavailable: string[] = []) {
  const printed: string[] = [];
  const ran: string[] = [];
  let clockMs = 0;
  const exitCode = await tryNodes({
    majors: ['22', '24'],
    suites: SUITES,
    nodeOf: (major) =>
      unavailable.includes(major)
        ? Promise.reject(Object.assign(new Error('Command failed'), { stderr: 'npm error: ENOTFOUND\nmore' }))
        : Promise.resolve(`node-${major}`),
    run: (program, { name }: Suite) => {
      ran.push(`${program} ${name}`);
      return Promise.resolve(exitCodes[`${program} ${name}`] ?? 0);
    },
    print: (line) => printed.push(line),
    nowMs: () => (clockMs += 1_000),
  });
  return { printed, ran, exitCode };
}

test('each suite runs on each version, and the versions run side by side', async () => {
  expect(await tried({})).toEqual({
    printed: ['Node.js 22: passed, after 2 s', 'Node.js 24: passed, after 2 s'],
    ran: ['node-22 local run', 'node-24 local run', 'node-22 client', 'node-24 client'],
    exitCode: 0,
  });
});

test('a suite that fails is named, and the rest runs', async () => {
  const { printed, ran, exitCode } = await tried({ 'node-22 local run': 1 });
  expect(printed[0]).toBe('Node.js 22: failed: local run, after 2 s');
  expect(ran).toHaveLength(4);
  expect(exitCode).toBe(1);
});

test('a version that cannot be installed is skipped, with the reason, and fails nothing', async () => {
  const { printed, ran, exitCode } = await tried({}, ['22']);
  expect(printed).toEqual([
    'skipped: Node.js 22, which npm could not install: npm error: ENOTFOUND',
    'Node.js 24: passed, after 1 s',
  ]);
  expect(ran).toEqual(['node-24 local run', 'node-24 client']);
  expect(exitCode).toBe(0);
});
