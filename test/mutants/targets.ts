import type { Mutant } from './mutant';

const TARGET_TYPE = 'lambdas/core/delivery/targets/aws-target-type.ts';
const CHECK = 'test/unit/core/delivery/targets/check-aws-target.test.ts';

export const targetMutants: readonly Mutant[] = [
  {
    name: 'the name of a function is what stands last in its ARN',
    file: 'lambdas/core/delivery/arn.ts',
    find: 'name === undefined ? undefined : { ...parts, name, qualifier };',
    replace: 'name === undefined ? undefined : { ...parts, name: qualifier ?? name, qualifier };',
    killedBy: CHECK,
    test: 'nor is its version or alias',
  },
  {
    name: 'who may call a function may call each of its versions',
    file: TARGET_TYPE,
    find: 'allowsArn(policy.allowedArns, project, resource.arn)',
    replace: 'allowsArn(policy.allowedArns, project, resource.arn.split(":").slice(0, 7).join(":"))',
    killedBy: 'test/template/entries-as-iam.test.ts',
    test: 'give the same answer',
  },
];
