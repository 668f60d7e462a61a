import type { Grant } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';

import type { FunctionRole, ManageJobsOptions } from './access-props';
import { checkProject, checkWord } from './check-value';
import type { IQuarterjack } from './deployment-attributes';

/** Variables of a function that may manage jobs. */
const URL_VARIABLE = 'QUARTERJACK_URL';
const KEY_VARIABLE = 'QUARTERJACK_KEY_SECRET';

const FUNCTION_ROLES = ['viewer', 'worker', 'operator', 'editor'] as const satisfies readonly FunctionRole[];

/** Functions that have a key. */
const managers = new WeakSet<LambdaFunction>();

/**
 * Gives a function the URL of a deployment, and a key. Throws an Error if it has one of any deployment: its
 * environment has room for one.
 */
export function grantManageJobs(
  deployment: Pick<IQuarterjack, 'url' | 'project' | 'customResources'>,
  fn: LambdaFunction,
  { project = deployment.project, role = 'editor', keyVersion = 1 }: ManageJobsOptions,
): Grant {
  checkProject(fn, project);
  checkWord(fn, 'role', role, FUNCTION_ROLES);
  if (!Number.isSafeInteger(keyVersion) || keyVersion < 1)
    throw new Error(
      `${fn.node.path}: keyVersion is ${JSON.stringify(keyVersion)}; expected a whole number from 1 on`,
    );
  if (managers.has(fn)) throw new Error(`${fn.node.path} manages jobs already`);
  fn.addEnvironment(URL_VARIABLE, deployment.url);
  const properties = {
    Project: project,
    Role: role,
    Name: `cdk ${fn.node.id}`.slice(0, 64),
    Rotation: String(keyVersion),
  };
  const grant = deployment.customResources.addKey(properties, fn, KEY_VARIABLE);
  managers.add(fn);
  return grant;
}
