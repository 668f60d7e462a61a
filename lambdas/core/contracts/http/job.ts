import * as z from 'zod';

import type { JobDefinition } from '../../domain/job';
import { reportingOf } from '../../domain/target';
import { parseDuration } from '../../domain/schedule/duration';
import { DEFAULT_POOL, PRIORITIES } from '../pools';
import { duration, JobId, line, OrderingKey, textMap, wholeNumber } from './fields';
import { ScheduleSchema } from './schedule';
import { TargetBody } from './target';

/** Of a payload, as JSON in UTF-8. */
export const MAX_PAYLOAD_BYTES = 65_536;
const MAX_TAGS = 50;
const TAG_KEY = /^[\p{L}\p{N}_./=+@-]{1,64}$/u;

const RetryBody = z
  .strictObject({
    maxAttempts: wholeNumber(1, 100).default(3),
    initialDelay: duration('1s', '24h').default('10s'),
    maxDelay: duration('1s', '24h').default('1h'),
    multiplier: z.number().min(1, 'must be 1 to 10').max(10, 'must be 1 to 10').default(2),
    maxAge: duration('1s', '30d').default('24h'),
  })
  .superRefine(({ initialDelay, maxDelay }, context) => {
    if (parseDuration(maxDelay) >= parseDuration(initialDelay)) return;
    const message = `${JSON.stringify(maxDelay)} must be at least initialDelay, ${JSON.stringify(initialDelay)}`;
    context.addIssue({ code: 'custom', path: ['maxDelay'], message });
  });

/** Without a policy, the kind of schedule decides it. */
const MisfireBody = z.strictObject({
  policy: z.enum(['fire-now', 'fire-once', 'fire-all', 'skip']).optional(),
  grace: duration('60s', '24h').default('60s'),
  catchUpWindow: duration('60s', '30d').default('1h'),
});

const Tags = textMap(line(0, 256)).superRefine((tags, context) => {
  const keys = Object.keys(tags);
  if (keys.length > MAX_TAGS) context.addIssue(`must be at most ${MAX_TAGS}, not ${keys.length}`);
  for (const key of keys.slice(0, MAX_TAGS)) {
    if (TAG_KEY.test(key)) continue;
    const message = 'is not a tag: its key is 1 to 64 letters, digits, "_", ".", "/", "=", "+", "@" or "-"';
    context.addIssue({ code: 'custom', path: [key], message });
  }
});

/** Of one attempt: an executor waits for an answer within its own time limit, a report may take longer. */
const MAX_TIMEOUT = '7d';
const MAX_SYNC_TIMEOUT = '14m';

export const MAX_TARGETS = 10;
const TARGETS_ALLOWED = `must be 1 to ${MAX_TARGETS} targets`;

/** What a user may say about a job; strict, with every default but the misfire policy's. */
const definition = {
  name: line(1, 256).optional(),
  schedule: ScheduleSchema,
  target: TargetBody.optional(),
  targets: z
    .array(TargetBody)
    .min(1, TARGETS_ALLOWED)
    .max(MAX_TARGETS, TARGETS_ALLOWED)
    .optional()
    .meta({ description: 'In place of `target`: each gets every occurrence, with an outcome of its own.' }),
  payload: z.unknown().optional().meta({ description: 'Any JSON: the body that the target gets.' }),
  priority: z.enum(PRIORITIES).default('medium'),
  pool: z.string().min(1).max(64).default(DEFAULT_POOL),
  retry: RetryBody.prefault({}),
  misfire: MisfireBody.prefault({}),
  overlap: z.enum(['allow', 'skip', 'queue', 'replace']).default('allow'),
  orderingKey: OrderingKey.nullable().default(null),
  onFailure: z.enum(['continue', 'block']).default('continue'),
  timeout: duration('1s', MAX_TIMEOUT).default('5m'),
  tags: Tags.default({}),
};

/** Body of POST and PUT. */
export const JobBody = z
  .strictObject({ jobId: JobId.optional(), ...definition })
  .superRefine(({ orderingKey, onFailure }, context) => {
    if (onFailure === 'continue' || orderingKey !== null) return;
    context.addIssue({ code: 'custom', path: ['onFailure'], message: '"block" needs an orderingKey' });
  })
  .superRefine(({ target, targets }, context) => {
    if ((target === undefined) !== (targets === undefined)) return;
    const message = target === undefined ? 'is required' : 'and targets exclude one another';
    context.addIssue({ code: 'custom', path: ['target'], message });
  })
  .superRefine(({ timeout, target, targets = target ? [target] : [] }, context) => {
    const mayReport = targets.some((one) => reportingOf(one).mode === 'async');
    if (mayReport || parseDuration(timeout) <= parseDuration(MAX_SYNC_TIMEOUT)) return;
    const message = `${JSON.stringify(timeout)} is out of range: must be 1s to ${MAX_SYNC_TIMEOUT} unless a target is of mode "async"`;
    context.addIssue({ code: 'custom', path: ['timeout'], message });
  })
  .meta({
    id: 'JobDefinition',
    description: 'What a user says about a job. Only `schedule` and a target are required.',
  });
export type JobBody = z.output<typeof JobBody>;

export const MAX_BATCH = 100;
const batchSize = `must have 1 to ${MAX_BATCH} jobs`;

/** Body of a batch. Each item is judged by itself, by `JobBody`. */
export const JobBatchBody = z
  .strictObject({
    jobs: z
      .array(z.unknown().meta({ override: { $ref: '#/components/schemas/JobDefinition' } }))
      .min(1, batchSize)
      .max(MAX_BATCH, batchSize),
  })
  .meta({ id: 'JobBatch' });

/** Merged first: what comes of it is judged as a whole, by `JobBody`. */
const merging = (...type: ('string' | 'object' | 'array' | 'null')[]) =>
  z.unknown().optional().meta({ override: { type } });

/** Body of PATCH: its names. Null removes, objects merge. */
export const JobPatch = z
  .strictObject({
    jobId: z
      .unknown()
      .optional()
      .meta({ override: { type: 'string' }, description: 'Cannot be changed.' }),
    ...({
      name: merging('string', 'null'),
      schedule: merging('object', 'string'),
      target: merging('object', 'null'),
      targets: merging('array', 'null'),
      payload: z.unknown().optional(),
      priority: merging('string', 'null'),
      pool: merging('string', 'null'),
      retry: merging('object', 'null'),
      misfire: merging('object', 'null'),
      overlap: merging('string', 'null'),
      orderingKey: merging('string', 'null'),
      onFailure: merging('string', 'null'),
      timeout: merging('string', 'null'),
      tags: merging('object', 'null'),
    } satisfies Record<keyof typeof definition, z.ZodType>),
  })
  .meta({ id: 'JobPatch', description: 'A JSON merge patch of a job (RFC 7386).' });

/** Body of `run`: what it leaves out comes from the job. */
export const RunBody = z
  .strictObject({ payload: z.unknown().optional().meta({ description: 'In place of the job’s own.' }) })
  .meta({ id: 'RunRequest' });

/** Body of calls that take nothing. */
export const EmptyBody = z.strictObject({}).meta({ id: 'Nothing' });

/** Names that answers carry and requests must not. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'status',
  'generation',
  'createdAt',
  'updatedAt',
  'nextFireAt',
  'lastExecution',
]);

/** The fields that a merge patch merges into: those that PUT takes. */
export const DEFINITION_FIELDS = [
  'name',
  'schedule',
  'target',
  'targets',
  'payload',
  'priority',
  'pool',
  'retry',
  'misfire',
  'overlap',
  'orderingKey',
  'onFailure',
  'timeout',
  'tags',
] as const satisfies readonly (keyof JobDefinition)[];

/** Body of calls about an ordering key. */
export const OrderingKeyBody = z
  .strictObject({ orderingKey: OrderingKey })
  .meta({ id: 'OrderingKeyRequest' });
