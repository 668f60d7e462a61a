import * as z from 'zod';

import { TARGET_RESOURCES } from '../../lambdas/core/contracts/target-resources';
import { oneOrMore } from './values';

// What a configuration says about targets.

/** A host, or all hosts below one. */
export const HOST_PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/;

const TARGET_NAME = '[A-Za-z0-9_.*/-]+';
const VERSION_OR_ALIAS = '(?::[A-Za-z0-9_$*-]+)?';
/** Region and account must be literal: a wildcard there would also match the resources of other accounts. */
const TARGET_ARN = new RegExp(
  `^arn:(aws|aws-cn|aws-us-gov):(${Object.values(TARGET_RESOURCES)
    .map(
      ({ service, prefix }) =>
        `${service}:[a-z0-9-]+:\\d{12}:${prefix}${TARGET_NAME}` +
        (service === TARGET_RESOURCES.lambda.service ? VERSION_OR_ALIAS : ''),
    )
    .join('|')})$`,
);
const TARGET_SERVICES = Object.values(TARGET_RESOURCES).map(({ service }) => service);

export const TargetArns = oneOrMore(
  z
    .string()
    .max(256)
    .regex(
      TARGET_ARN,
      `expected an ARN of ${TARGET_SERVICES.join(', ')}, with "*" only in its name, or in the version or alias of a function`,
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
