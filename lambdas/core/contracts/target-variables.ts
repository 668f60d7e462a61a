import * as z from 'zod/mini';

import type { AllowedAction } from './allowed-actions';
import type { EcsLaunch } from './ecs-launch';
import { jsonVariable } from './env-json';
import { ERRAND_TYPES } from './errand-services';
import { entriesOf, SIGNED_SERVICES, type SignedCall, type TargetRole } from './target-resources';

// Variables of functions about targets: see `env.ts`.

const text = z.string().check(z.minLength(1));

/** Hosts that targets may be called at, besides that of the API. Empty: any. */
const TARGET_HOSTS = jsonVariable(z.array(text));
const byProject = jsonVariable(z.record(z.string(), z.array(text)));
/** Private hosts that targets may have in a pool of a VPC, by project. */
const PRIVATE_HOSTS = byProject;
/** What projects may call with a signature of AWS. */
const SIGNED_CALLS = jsonVariable(
  z.record(
    z.string(),
    z.array(
      z.strictObject({
        service: z.enum(SIGNED_SERVICES),
        resources: z.array(text),
        hosts: z.optional(z.array(text)),
      } satisfies Record<keyof SignedCall, unknown>),
    ),
  ),
);
/** The networks in which private hosts may be, by pool in a VPC. */
const PRIVATE_NETWORKS = jsonVariable(z.record(z.string(), z.array(text)));
/** What targets by HTTP may be, besides public hosts that the policy allows. */
export const HTTP_TARGETS = { TARGET_HOSTS, PRIVATE_HOSTS, PRIVATE_NETWORKS, SIGNED_CALLS };
/** Entries for the ARNs that targets may have, by project. */
export const TARGET_ARNS = byProject;
/**
 * What the stack's program allows besides, as `entriesOf` reads it. The names are known at deployment alone,
 * so no file has them.
 */
export const ADDED_TARGET_ARNS = z.pipe(
  byProject,
  z.transform((added) =>
    Object.fromEntries(Object.entries(added).map(([project, texts]) => [project, texts.flatMap(entriesOf)])),
  ),
);
const ALLOWED = jsonVariable(
  z.record(
    z.string(),
    z.array(
      z.strictObject({
        action: text,
        resources: z.array(text),
        passRoles: z.optional(z.array(text)),
      } satisfies Record<keyof AllowedAction, unknown>),
    ),
  ),
);
export const ACTION_VARIABLES = {
  /** What targets of type `aws` may call, by project. */
  ALLOWED_ACTIONS: ALLOWED,
  /** What the stack's program allows besides. Its ARNs are known at deployment alone. */
  ADDED_ACTIONS: ALLOWED,
  /** The folder with what actions take. Empty: the deployment calls none. */
  ACTIONS_PATH: z.string(),
};
export const ERRAND_VARIABLES = {
  /** The kinds of errands that the deployment watches. */
  ERRANDS: jsonVariable(z.array(z.enum(ERRAND_TYPES))),
  /** Whether jobs may say commands and sizes of errands. */
  ERRAND_OVERRIDES: jsonVariable(z.boolean()),
};
/** Roles that the executor assumes to call targets, by project. */
export const TARGET_ROLES = jsonVariable(
  z.record(
    z.string(),
    z.strictObject({ roleArn: text, externalId: text } satisfies Record<keyof TargetRole, unknown>),
  ),
);

/** How tasks are started, by the ARN of their cluster. */
export const ECS_CLUSTERS = jsonVariable(
  z.record(
    z.string(),
    z.strictObject({
      launchType: z.optional(z.enum(['EC2', 'EXTERNAL', 'FARGATE'])),
      capacityProviders: z.optional(z.array(text)),
      subnets: z.optional(z.array(text)),
      securityGroups: z.optional(z.array(text)),
      assignPublicIp: z.optional(z.boolean()),
    } satisfies Record<keyof EcsLaunch, unknown>),
  ),
);

/**
 * `public`: only https to public addresses. `loopback`: also http and addresses of this machine, for a local
 * run. The local run lists the private hosts that targets may have too: `loopback,app,db`.
 */
export const TARGET_POLICY = z.pipe(
  z.string().check(z.regex(/^(?:public|loopback(?:,[a-z0-9._-]+)*)$/, 'expected public or loopback')),
  z.transform((list: string) => {
    const [policy, ...privateHosts] = list.split(',');
    if (policy === 'public') return 'public' as const;
    return privateHosts.length === 0 ? ('loopback' as const) : { privateHosts };
  }),
);
