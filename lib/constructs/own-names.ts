import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { resourceNameIn } from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';
import { allowedOf } from './aws-targets';

/** CloudFormation keeps this much of the stack's name in the name of a function. */
const KEPT_OF_STACK_NAME = 24;

/**
 * Throws an Error for an allowed target that may name a resource of the deployment itself. The target policy
 * rejects names that begin with the deployment's name and a hyphen. Generated names of a construct within a
 * stack do not, so a pattern must not fit them either.
 */
export function rejectOwnNames(scope: Construct, deployment: string, config: StageConfig): void {
  const { stackName } = Stack.of(scope);
  if (deployment === stackName) return;
  const own = stackName.slice(0, KEPT_OF_STACK_NAME);
  for (const arn of Object.values(allowedOf(config)).flat()) {
    const name = resourceNameIn(arn);
    const star = name.indexOf('*');
    if (star < 0) continue;
    const literal = name.slice(0, star);
    if (literal.startsWith(own) || own.startsWith(literal))
      throw new Error(
        `${scope.node.path}: allowedTargetArns has ${arn}, which may be a resource of the deployment itself; ` +
          `expected a name that differs from ${own} before its first *, or a call of add…Target`,
      );
  }
}
