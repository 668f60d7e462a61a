import * as z from 'zod';

import { RUNS_IN, TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
import { oneOrMore } from './values';

// What a configuration says about targets.

/** A host, or all hosts below one. */
export const HOST_PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/;

const TARGET_NAME = '[A-Za-z0-9_.*/-]+';
/** What may follow on the name: a version or alias, or the revision of a definition. */
const AFTER_NAME: Readonly<Record<string, string>> = {
  [TARGET_RESOURCES.lambda.prefix]: '(?::[A-Za-z0-9_$*-]+)?',
  [TARGET_RESOURCES.ecs.prefix]: '(?::[0-9*]+)?',
  [TARGET_RESOURCES.batch.prefix]: '(?::[0-9*]+)?',
};
/** Region and account must be literal: a wildcard there would also match the resources of other accounts. */
const TARGET_ARN = new RegExp(
  `^arn:(aws|aws-cn|aws-us-gov):(${[...Object.values(TARGET_RESOURCES), ...Object.values(RUNS_IN)]
    .map(
      ({ service, prefix }) =>
        `${service}:[a-z0-9-]+:\\d{12}:${prefix}${TARGET_NAME}${AFTER_NAME[prefix] ?? ''}`,
    )
    .join('|')})$`,
);
const TARGET_SERVICES = Object.values(TARGET_RESOURCES).map(({ service }) => service);

export const TARGET_ARN_MAX = 256;

export const TargetArns = oneOrMore(
  z
    .string()
    .max(TARGET_ARN_MAX)
    .regex(
      TARGET_ARN,
      `expected an ARN of ${TARGET_SERVICES.join(', ')}, with "*" only in its name, or in a version, alias or revision`,
    ),
);

export const ROLE_ARN = /^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;
/** What STS allows, and the place of the project. */
const EXTERNAL_ID = /^(?:[\w+=,.@:/-]|\{project\}){2,200}$/;

export const TargetRole = z.strictObject({
  roleArn: z.string().regex(ROLE_ARN, 'expected the ARN of an IAM role'),
  /** STS passes it to the role's trust policy. */
  externalId: z
    .string()
    .regex(EXTERNAL_ID, 'expected 2 to 200 letters, digits and _+=,.@:/-, or {project}')
    .default('quarterjack/{project}'),
});

/** One value for all projects, or an object with one for each project and, under `*`, for all. */
export const byProjectOr = <T extends z.ZodType>(value: T, expected: string) =>
  z.union([value, z.record(z.string().min(1).max(512), value)], expected);
