import { ownDashboard } from '../../../../local/metrics/own-dashboard';
import type { LocalStack } from '../../../../local/template/stack';

test('the function that names a dashboard names that of the local run, and no other changes', () => {
  const environments = [{ DASHBOARD: 'Quarterjack-local-us-east-1', STAGE: 'local' }, { STAGE: 'local' }];
  const stack = { functions: environments.map((environment) => ({ environment })) } as unknown as LocalStack;
  expect(ownDashboard(stack).functions.map(({ environment }) => environment)).toEqual([
    { DASHBOARD: '/_local/dashboard', STAGE: 'local' },
    { STAGE: 'local' },
  ]);
});
