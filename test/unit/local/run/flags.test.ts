import { parseFlags } from '../../../../local/run/flags';

test('no flags: the defaults', () => {
  expect(parseFlags([])).toMatchObject({
    port: 8787,
    strictTargets: false,
    verbose: false,
    assembly: undefined,
  });
  expect(parseFlags([])?.dataDir).toMatch(/\.quarterjack\/data$/);
});

test('all flags', () => {
  expect(parseFlags(['--port', '0', '--data', 'd', '--strict-targets', '--verbose'])).toEqual({
    port: 0,
    host: '127.0.0.1',
    privateHosts: [],
    stateMachines: [],
    ecsTasks: [],
    batchJobs: [],
    glueJobs: [],
    builds: [],
    durableFunctions: [],
    open: false,
    json: false,
    quiet: false,
    dataDir: 'd',
    strictTargets: true,
    assembly: undefined,
    executors: undefined,
    verbose: true,
    awsHttp: false,
    lambdaRamp: false,
  });
  expect(parseFlags(['--ephemeral', '--assembly', 'a'])).toMatchObject({ dataDir: undefined, assembly: 'a' });
});

test('--aws-http lets functions call AWS services by HTTP', () =>
  expect([parseFlags([])?.awsHttp, parseFlags(['--aws-http'])?.awsHttp]).toEqual([false, true]));

test('--lambda-ramp starts the batches of a queue one after another', () =>
  expect(parseFlags(['--lambda-ramp'])?.lambdaRamp).toBe(true));

test('--executors says how many each priority may have', () =>
  expect(parseFlags(['--executors', '64'])?.executors).toBe(64));

test('--help overrides all other flags', () => expect(parseFlags(['--help'])).toBeUndefined());

test.each([
  [['--prot', '1'], /'--prot'.*see --help/],
  [['extra'], /'extra'.*see --help/],
  [['--port', '70000'], '--port is "70000"; expected a number from 0 to 65535'],
  [['--port', 'x'], '--port is "x"'],
  [['--host', '10.0.0.1'], '--host is "10.0.0.1"; expected 127.0.0.1 or 0.0.0.0'],
  [['--private-host', 'http://app'], '--private-host is "http://app"; expected a name or an IPv4 address'],
  [['--private-host', 'app:3000'], '--private-host is "app:3000"; expected a name or an IPv4 address'],
  [['--private-host', 'app', '--strict-targets'], '--private-host and --strict-targets cannot be combined'],
  [['--api-url', 'quarterjack:8787'], '--api-url is "quarterjack:8787"; expected a URL without a path'],
  [['--api-url', 'http://quarterjack/v1'], '--api-url is "http://quarterjack/v1"; expected a URL without'],
  [['--data', 'd', '--ephemeral'], '--data and --ephemeral cannot be combined'],
  [['--executors', '1'], '--executors is "1"; expected a number from 2 to 256'],
  [['--executors', '257'], '--executors is "257"'],
  [['--executors', '1e2'], '--executors is "1e2"'],
  [['--assembly', 'a', '--executors', '8'], '--executors has no effect on --assembly'],
  [['--assembly', 'a', '--strict-targets'], '--strict-targets has no effect on --assembly'],
])('%j is an error', (args, message) => expect(() => parseFlags(args)).toThrow(message));
