import { DASHBOARD_PATH } from '../pages/local-pages';
import type { FunctionSpec, LocalStack } from '../template/stack';

/** Variable of the API's function: the dashboard that it names to operators. */
const DASHBOARD = 'DASHBOARD';

/** The stack with an API that names the dashboard of the local run: CloudWatch has none of this stack. */
export function ownDashboard(stack: LocalStack): LocalStack {
  const naming = (one: FunctionSpec): FunctionSpec =>
    one.environment[DASHBOARD] === undefined
      ? one
      : { ...one, environment: { ...one.environment, [DASHBOARD]: DASHBOARD_PATH } };
  return { ...stack, functions: stack.functions.map(naming) };
}
