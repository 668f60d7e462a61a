import * as z from 'zod';

import { PROJECT_SCOPES, type Role, ROLES } from '../../contracts/roles';
import { QuotaLimits } from '../../contracts/quotas';
import type { Operation } from '../../contracts/routes';
import { orNull } from './answers';
import type { OperationSpec } from './operation-spec';

/** Bodies of responses about a caller and its project. Operations import only their types. */

const RoleName = z.enum(ROLES as [Role, ...Role[]]).meta({
  id: 'Role',
  description: 'A role in a project, from the lowest to the highest.',
});

export const MeView = z
  .strictObject({
    by: z
      .strictObject({
        sub: z.string().meta({ description: 'Subject of the token; of an API key, who created it.' }),
        name: orNull(z.string()),
        via: z.string().meta({ description: '`token`, or `key:` and the name of the API key.' }),
      })
      .meta({ description: 'The actor that stands on changes of this caller.' }),
    project: orNull(z.string()).meta({
      description: 'The only project of the token, or the one that `Quarterjack-Project` names; else null.',
    }),
    role: orNull(RoleName).meta({ description: 'The role in that project.' }),
    projects: z.array(z.strictObject({ name: z.string(), role: RoleName })),
    scopes: z.array(z.enum([...PROJECT_SCOPES, 'admin'])).meta({
      description:
        'Those that both the token and the role have, and `admin` of the token; without a project, those of the token.',
    }),
    stage: z.string(),
    version: z.string(),
    region: z.string(),
    pools: z.array(z.string()),
    quotas: z.strictObject(
      Object.fromEntries(Object.keys(QuotaLimits.shape).map((name) => [name, z.int()])) as Record<
        keyof QuotaLimits,
        z.ZodInt
      >,
    ),
    retentionDays: z.int(),
    targetPolicy: z.enum(['public', 'loopback']),
    signing: z.strictObject({
      legacy: z.boolean().meta({
        description:
          'Whether the legacy secret of the project signs deliveries too. Without a project: whether those of the deployment do.',
      }),
    }),
  })
  .meta({ id: 'Me', description: 'The caller, its projects and its rights, and the deployment.' });
export type MeView = z.output<typeof MeView>;

const quota = z
  .strictObject({
    used: z.number(),
    allowed: z.int(),
    approximate: z.boolean().meta({
      description:
        'Whether `used` may be off by a few percent of `allowed`, since processes save it in steps.',
    }),
  })
  .meta({ id: 'QuotaUse', description: 'What a project uses of one quota.' });

export const UsageView = z
  .strictObject({
    jobs: quota,
    firesPerMinute: quota,
    payloadBytes: quota,
    requestsPerMinute: quota,
    changesPerMinute: quota,
    runsPerMinute: quota,
    reportsPerMinute: quota,
    writtenBytesPerDay: quota,
    logBytesPerDay: quota,
    liveRuns: quota,
  })
  .meta({
    id: 'Usage',
    description:
      'What the project uses of each quota. A job counts while something is planned or may start it. Rates are those of the current minute, logs and written bytes those of the day in UTC. ' +
      '`liveRuns` are the runs of workflows under way.',
  });
export type UsageView = z.output<typeof UsageView>;

const QUOTAS = {
  jobs: 100_000,
  firesPerMinute: 100_000,
  payloadBytes: 1_000_000_000,
  requestsPerMinute: 30_000,
  changesPerMinute: 10_000,
  writtenBytesPerDay: 10_737_418_240,
  logBytesPerDay: 1_073_741_824,
  logBytesPerAttempt: 524_288,
  runsPerMinute: 3_000,
  reportsPerMinute: 600_000,
  liveRuns: 10_000,
};
const ME: MeView = {
  by: { sub: '8d0f1f5e-0b4e-4d5b-9a8c-3a1c2f7e6b11', name: 'ann@example.com', via: 'token' },
  project: 'billing',
  role: 'viewer',
  projects: [{ name: 'billing', role: 'viewer' }],
  scopes: ['jobs:read'],
  stage: 'prod',
  version: '0.1.0',
  region: 'eu-central-1',
  pools: ['default'],
  quotas: QUOTAS,
  retentionDays: 90,
  targetPolicy: 'public',
  signing: { legacy: true },
};
const USAGE: UsageView = {
  jobs: { used: 240, allowed: QUOTAS.jobs, approximate: false },
  firesPerMinute: { used: 12.5, allowed: QUOTAS.firesPerMinute, approximate: false },
  payloadBytes: { used: 90_112, allowed: QUOTAS.payloadBytes, approximate: false },
  requestsPerMinute: { used: 300, allowed: QUOTAS.requestsPerMinute, approximate: true },
  changesPerMinute: { used: 0, allowed: QUOTAS.changesPerMinute, approximate: true },
  writtenBytesPerDay: { used: 4_812_330, allowed: QUOTAS.writtenBytesPerDay, approximate: true },
  logBytesPerDay: { used: 0, allowed: QUOTAS.logBytesPerDay, approximate: false },
  runsPerMinute: { used: 0, allowed: QUOTAS.runsPerMinute, approximate: true },
  reportsPerMinute: { used: 0, allowed: QUOTAS.reportsPerMinute, approximate: true },
  liveRuns: { used: 4, allowed: QUOTAS.liveRuns, approximate: true },
};

export const PROJECT_OPERATIONS = {
  getMe: {
    tag: 'Access',
    summary: 'See who you are, and what you may do',
    description:
      'Works with any valid token. A token of several projects may name one by `Quarterjack-Project`.',
    responses: { 200: { description: 'The caller and the deployment.', schema: MeView, example: ME } },
  },
  getUsage: {
    tag: 'Access',
    summary: 'See what your project uses of its quotas',
    responses: { 200: { description: 'Used and allowed, by quota.', schema: UsageView, example: USAGE } },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
