import { allowTargetsBeside } from '../../../../local/run/targets-beside';
import type { LocalStack } from '../../../../local/template/stack';

const RUN = 'http://127.0.0.1:8787';
const stackOf = (...environments: Record<string, string>[]) =>
  ({ functions: environments.map((environment) => ({ environment })) }) as unknown as LocalStack;
const environmentsOf = ({ functions }: LocalStack) => functions.map(({ environment }) => environment);

test('functions with a target policy get the private hosts, and executors the URL of the API', () => {
  const executor = { TARGET_POLICY: 'loopback', CALLBACK_URL: `${RUN}/v1/attempts` };
  const stack = stackOf(executor, { TARGET_POLICY: 'loopback' }, { STAGE: 'local' });
  const apiUrl = 'http://quarterjack:8787';
  expect(environmentsOf(allowTargetsBeside(stack, RUN, { privateHosts: ['app', 'db'], apiUrl }))).toEqual([
    { TARGET_POLICY: 'loopback,app,db', CALLBACK_URL: `${apiUrl}/v1/attempts` },
    { TARGET_POLICY: 'loopback,app,db' },
    { STAGE: 'local' },
  ]);
});

test('without private hosts nothing changes', () => {
  const executor = { TARGET_POLICY: 'public', CALLBACK_URL: `${RUN}/v1/attempts` };
  expect(environmentsOf(allowTargetsBeside(stackOf(executor), RUN, { privateHosts: [] }))).toEqual([
    executor,
  ]);
});

test('a stack with the target policy of AWS refuses private hosts', () => {
  const start = () =>
    allowTargetsBeside(stackOf({ TARGET_POLICY: 'public' }), RUN, { privateHosts: ['app'] });
  expect(start).toThrow(
    '--private-host has no effect: the target policy of the stack is "public", as in AWS',
  );
});
