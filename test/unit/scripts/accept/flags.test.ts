import { parseFlags } from '../../../../scripts/accept/flags';

const STEPS = ['preflight', 'delivery'];
const parse = (...args: string[]) => parseFlags(args, {}, STEPS);

test('a stage is in AWS, a URL is a local run, and flags are wishes', () => {
  expect(parse('--stage', 'dev', '--disturb', '--id-token', 'x.y.z', '--only', 'delivery')).toMatchObject({
    ...{ mode: 'accept', stage: 'dev', url: undefined, only: ['delivery'], report: '.quarterjack/accept' },
    wishes: new Set(['disturb', 'id-token']),
  });
  expect(parse('--url', 'http://127.0.0.1:8787')).toMatchObject({ mode: 'accept', wishes: new Set() });
  expect(parse('--stage', 'dev', '--preflight').mode).toBe('preflight');
  expect(parse('--stage', 'dev', '--bill').mode).toBe('bill');
  expect(parse('--stage', 'test', '--redeploy').mode).toBe('redeploy');
  expect(parse('--stage', 'dev', '--memory', '256,1769')).toMatchObject({
    ...{ memorySizes: [256, 1_769], wishes: new Set(['memory']) },
  });
});

test('a token of the environment opens the front door too', () => {
  const { token, wishes } = parseFlags(['--stage', 'dev'], { QUARTERJACK_TOKEN: 'a.b.c' }, STEPS);
  expect([token, wishes]).toEqual(['a.b.c', new Set(['token'])]);
});

test.each([
  [[], 'expected either --stage, for a deployment in AWS, or --url, for a local run'],
  [['--stage', 'dev', '--url', 'http://127.0.0.1:1'], 'expected either --stage'],
  [['--preflight'], '--preflight needs --stage'],
  [['--bill', '--url', 'http://127.0.0.1:1'], '--bill needs --stage'],
  [['--stage', 'dev', '--bill', '--preflight'], '--preflight and --bill exclude each other'],
  [['--stage', 'Dev!'], '--stage is "Dev!"; expected the name of a file in config/'],
  [['--stage', 'dev', '--only', 'lunch'], '--only is "lunch"; expected one of preflight, delivery'],
  [['--redeploy'], '--redeploy needs --stage'],
  [['--stage', 'dev', '--bill', '--redeploy'], '--bill and --redeploy exclude each other'],
  [['--stage', 'dev', '--memory', '64'], '--memory has "64"; expected whole numbers from 128 to 10240'],
  [['--stage', 'dev', '--memory', '256,big'], '--memory has "big"; expected whole numbers from 128'],
  [['--quick'], "Unknown option '--quick'"],
])('%j is an error', (args, message) => {
  expect(() => parse(...args)).toThrow(message);
});
