import * as z from 'zod';

import { TARGET_ARN_MAX, ROLE_ARN } from './targets';
import { flag, oneOrMore } from './values';

const CLUSTER_ARN = /^arn:(aws|aws-cn|aws-us-gov):ecs:[a-z0-9-]+:\d{12}:cluster\/[\w-]{1,255}$/;

/** How and where the tasks of a cluster are started. Names of subnets and groups are as EC2 gives them. */
const EcsLaunch = z
  .strictObject({
    launchType: z.enum(['EC2', 'EXTERNAL', 'FARGATE']).optional(),
    /** In place of `launchType`: each has the same weight. */
    capacityProviders: oneOrMore(
      z.string().regex(/^[\w-]{1,255}$/, 'expected the name of a capacity provider'),
    ).optional(),
    /** For tasks with the network mode `awsvpc`. */
    subnets: oneOrMore(z.string().regex(/^subnet-[0-9a-f]{8,17}$/, 'expected the id of a subnet')).optional(),
    securityGroups: oneOrMore(
      z.string().regex(/^sg-[0-9a-f]{8,17}$/, 'expected the id of a security group'),
    ).optional(),
    assignPublicIp: flag.optional(),
  })
  .superRefine(({ launchType, capacityProviders, subnets, securityGroups, assignPublicIp }, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (launchType && capacityProviders) reject('capacityProviders', 'expected only without launchType');
    if (subnets) return;
    if (securityGroups) reject('securityGroups', 'expected only with subnets');
    if (assignPublicIp !== undefined) reject('assignPublicIp', 'expected only with subnets');
  });

/** What a deployment watches, and what starts of errands need that no job may say. */
export const Errands = z
  .strictObject({
    /** Whether the functions that targets may be are watched if they are durable. */
    durable: flag.default(false),
    /** Whether jobs may say commands and sizes of the containers that they start. */
    allowOverrides: flag.default(false),
    ecs: z
      .strictObject({
        /** By the ARN of a cluster. One without an entry decides by itself. */
        clusters: z
          .record(
            z.string().max(TARGET_ARN_MAX).regex(CLUSTER_ARN, 'expected the ARN of a cluster'),
            EcsLaunch,
          )
          .default({}),
        /** The roles of the task definitions, which ECS gets from the executor. */
        passRoles: z.array(z.string().regex(ROLE_ARN, 'expected the ARN of an IAM role')).default([]),
      })
      .prefault({}),
  })
  .prefault({});
