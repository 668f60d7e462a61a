import * as z from 'zod';

import { PROJECT_SCOPES, type Role, ROLES } from '../contracts/roles';
import { QuotaLimits } from '../contracts/quotas';
import { orNull } from './answers';

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

const quota = z.strictObject({
  used: z.number(),
  allowed: z.int(),
  approximate: z.boolean().meta({
    description: 'Whether `used` may be off by a few percent of `allowed`, since processes save it in steps.',
  }),
});

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
