import { CfnElement, CfnResource, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { exceededLimits } from './limits';
import type { TemplateResource } from './longest';

/** Fails the synthesis of an app whose deployment exceeds a limit of AWS, with the setting to change. */
export function checkLimits(deployment: Construct): void {
  deployment.node.addValidation({
    validate: () => {
      const stack = Stack.of(deployment);
      const { stackName } = stack;
      return exceededLimits({
        stackName,
        resources: templateOf(resourcesOf(stack), stack),
        own: new Set(resourcesOf(deployment).map((one) => String(stack.resolve(one.logicalId)))),
      });
    },
  });
}

const resourcesOf = (scope: Construct): CfnResource[] => {
  const stack = Stack.of(scope);
  return scope.node
    .findAll()
    .filter((one) => CfnElement.isCfnElement(one) && CfnResource.isCfnResource(one))
    .map((one) => one as CfnResource)
    .filter((one) => one.stack === stack);
};

function templateOf(resources: readonly CfnResource[], stack: Stack): Map<string, TemplateResource> {
  const fragments = resources.map((one) => {
    // The CDK calls it for each resource when it writes the template; there is no other way to see it.
    const element = one as unknown as { _toCloudFormation(): object };
    return stack.resolve(element._toCloudFormation()) as { Resources?: Record<string, TemplateResource> };
  });
  return new Map(fragments.flatMap(({ Resources = {} }) => Object.entries(Resources)));
}
