import * as z from 'zod/mini';

import { DEFAULT_MAX_AGE, storedPolicy } from '../domain/retry-policy';
import { parseDuration } from '../schedule/duration';
import { DEFAULT_POOL, PRIORITIES } from '../contracts/pools';
import {
  anyRecord,
  described,
  duration,
  JobId,
  OrderingKey,
  runLabelTemplates,
  singleLine,
  wholeNumber,
  tags,
} from './fields';
import { ConcurrencyKeyOfJob } from './concurrency-key';
import {
  ExpectDurationBody,
  RetryBody,
  faultOfMaxAge,
  faultOfTimeout,
  faultsOfDurations,
  MAX_TIMEOUT,
  Targets,
} from './delivery-fields';
import { faultsOfMonitor } from './monitor';
import { instant } from './query-fields';
import { ScheduleSchema } from './schedule';
import { CalledTargetBody, TargetBody } from './target';
import { faultOfRunTime, WorkflowBody } from './workflow';
import { RUN_RETRY_FIELDS } from './workflow-queries';

const MAX_TAGS = 50;

/** Without `policy`, the kind of schedule decides: see `defaultMisfire` of the API. */
const MisfireBody = z.strictObject({
  policy: z.optional(z.enum(['fire-now', 'fire-once', 'fire-all', 'skip'])),
  grace: z._default(duration('60s', '24h'), '60s'),
  catchUpWindow: z._default(duration('60s', '30d'), '1h'),
});

/** What a body says that says nothing of it. */
const DEFAULTS = { retry: z.parse(RetryBody, {}), misfire: z.parse(MisfireBody, {}) };

/** The fields that a user may set, with every default except that of the misfire policy. */
const definition = {
  name: z.optional(singleLine(1, 256)),
  schedule: ScheduleSchema,
  target: z.optional(TargetBody),
  targets: Targets,
  workflow: described(z.optional(WorkflowBody), {
    description:
      'In place of a target: tasks that depend on tasks. Each execution of the job is a run of it.',
  }),
  payload: described(z.optional(z.unknown()), { description: 'Any JSON. The target gets it as the body.' }),
  payloadSchema: described(z.optional(anyRecord()), {
    description:
      'A JSON Schema (2020-12) that each payload has to fit when it enters; with a workflow, the parameters of ' +
      'each run.',
  }),
  templates: described(z._default(z.boolean(), false), {
    description:
      'If true, texts of `payload`, values of `target.headers`, and path and query of `target.url` are ' +
      'templates, such as `{{ run.day }}`. If false, braces are text.',
  }),
  priority: z._default(z.enum(PRIORITIES), 'medium'),
  pool: z._default(z.string().check(z.minLength(1), z.maxLength(64)), DEFAULT_POOL),
  retry: z.prefault(RetryBody, {}),
  misfire: z.prefault(MisfireBody, {}),
  overlap: z._default(z.enum(['allow', 'skip', 'queue', 'replace']), 'allow'),
  orderingKey: z._default(z.nullable(OrderingKey), null),
  concurrencyKey: described(z.optional(ConcurrencyKeyOfJob), {
    description:
      'A limited number of the executions of all jobs with this key runs at a time. With one value of the payload at ' +
      'its end, each execution has the key that its payload makes: `crm.{{ payload.tenant }}`.',
  }),
  onFailure: z._default(z.enum(['continue', 'block']), 'continue'),
  timeout: described(z.optional(duration('1s', '366d')), {
    description:
      'Bound on one attempt, by default `5m`: at most `14m`. It is `7d` if a target has mode `async` or type `worker`, ' +
      'and `7d` to `366d` if its end is waited for. A monitor may have `30d`, by default `pingWithin`. ' +
      'In a job with a workflow, it bounds a whole run, by default `24h`: from `1m` to `30d`.',
  }),
  tags: z.prefault(tags(MAX_TAGS), {}),
  ...runLabelTemplates,
  pauseAfter: described(z.optional(z.strictObject({ failures: wholeNumber(1, 1_000) })), {
    description: 'The job is paused after so many failed executions in a row.',
  }),
  expectEvery: described(z.optional(duration('5m', '400d')), {
    description:
      'Notifications on `late` are told if an active job has no success for so long. At most one day less ' +
      'than executions are kept.',
  }),
  expectDuration: described(z.optional(ExpectDurationBody), {
    description:
      'Notifications on `slow` and `quick` tell of a success that took longer than `max`, or less than `min`.',
  }),
  onEnd: described(
    z.optional(
      z
        .strictObject({ succeeded: z.optional(CalledTargetBody), failed: z.optional(CalledTargetBody) })
        .check(
          z.refine(
            (ends) => ends.succeeded !== undefined || ends.failed !== undefined,
            'must have succeeded, failed or both',
          ),
        ),
    ),
    { description: 'Targets that are called once after each success, or after each failure.' },
  ),
};

/** Body of POST and PUT. */
export const JobBody = described(
  z.strictObject({ jobId: z.optional(JobId), ...definition }).check(
    z.superRefine(({ orderingKey, onFailure }, context) => {
      if (onFailure === 'continue' || orderingKey !== null) return;
      context.addIssue({ code: 'custom', path: ['onFailure'], message: '"block" requires an orderingKey' });
    }),
    z.superRefine(({ target, targets, workflow }, context) => {
      const given = [target, targets, workflow].filter((one) => one !== undefined);
      if (given.length === 1) return;
      const message =
        given.length === 0 ? 'is required' : 'excludes targets and workflow: give only one of the three';
      context.addIssue({ code: 'custom', path: ['target'], message });
    }),
    z.superRefine(({ retry, target, targets = target ? [target] : [] }, context) => {
      const { on } = storedPolicy({ ...retry, maxAge: DEFAULT_MAX_AGE });
      if (!on || targets.length === 0 || targets.some(({ type }) => type === 'http')) return;
      const message = `${JSON.stringify(on)} requires a target of type "http": no other has statuses`;
      context.addIssue({ code: 'custom', path: ['retry', 'on'], message });
    }),
    z.superRefine((body, context) => {
      for (const { path, message } of faultsOfMonitor(body, DEFAULTS))
        context.addIssue({ code: 'custom', path: [path], message });
      for (const fault of faultsOfDurations(body)) context.addIssue({ code: 'custom', ...fault });
    }),
    z.superRefine(({ retry, target }, context) => {
      const message = faultOfMaxAge(retry.maxAge, target);
      if (message) context.addIssue({ code: 'custom', path: ['retry', 'maxAge'], message });
    }),
    z.superRefine(({ workflow, payload, templates }, context) => {
      if (!workflow) return;
      const message = 'is not allowed beside workflow: each task has an input of its own';
      if (payload !== undefined) context.addIssue({ code: 'custom', path: ['payload'], message });
      const always = 'is not allowed beside workflow: texts of its tasks are always templates';
      if (templates) context.addIssue({ code: 'custom', path: ['templates'], message: always });
    }),
    z.superRefine(({ timeout, target, targets, workflow }, context) => {
      const message = workflow
        ? faultOfRunTime(timeout)
        : faultOfTimeout(timeout, targets ?? (target ? [target] : []));
      if (message) context.addIssue({ code: 'custom', path: ['timeout'], message });
    }),
    z.superRefine(({ timeout, workflow, orderingKey, concurrencyKey }, context) => {
      const hasKey = (orderingKey ?? concurrencyKey ?? null) !== null;
      if (timeout === undefined || workflow || !hasKey) return;
      if (parseDuration(timeout) <= parseDuration(MAX_TIMEOUT)) return;
      const message = `must be at most ${MAX_TIMEOUT} with an orderingKey or a concurrencyKey: no key is held for longer`;
      context.addIssue({ code: 'custom', path: ['timeout'], message });
    }),
  ),
  {
    id: 'JobDefinition',
    description: 'The definition of a job. Only `schedule` and a target, or a workflow, are required.',
  },
);
export type JobBody = z.output<typeof JobBody>;

export const MAX_BATCH = 100;
const BATCH_SIZE = `must have 1 to ${MAX_BATCH} jobs`;
const MOST_RESUMED = `must have at most ${MAX_BATCH} jobIds`;

/** Body of a batch. The API checks each item separately, with `JobBody`. */
export const JobBatchBody = described(
  z.strictObject({
    jobs: z
      .array(described(z.unknown(), { override: { $ref: '#/components/schemas/JobDefinition' } }))
      .check(z.minLength(1, BATCH_SIZE), z.maxLength(MAX_BATCH, BATCH_SIZE)),
    resume: described(z.optional(z.array(JobId).check(z.maxLength(MAX_BATCH, MOST_RESUMED))), {
      description:
        'Only with `dryRun=true`: paused jobs of this batch that will be resumed. The quotas count them as active.',
    }),
  }),
  { id: 'JobBatch' },
);

/** A field of a patch. The API merges first, then checks the result as a whole with `JobBody`. */
const patchField = (...type: ('string' | 'object' | 'boolean' | 'null')[]) =>
  described(z.optional(z.unknown()), {
    override: { type, ...(type.includes('object') && { additionalProperties: true }) },
  });

/** Body of PATCH: the names of its fields. Null removes a field; objects are merged. */
export const JobPatch = described(
  z.strictObject({
    jobId: described(z.optional(z.unknown()), {
      override: { type: 'string' },
      description: 'Cannot be changed.',
    }),
    ...({
      name: patchField('string', 'null'),
      schedule: patchField('object', 'string'),
      target: patchField('object', 'null'),
      workflow: patchField('object', 'null'),
      targets: described(z.optional(z.unknown()), {
        override: { type: ['array', 'null'], items: { type: 'object', additionalProperties: true } },
      }),
      payload: z.optional(z.unknown()),
      payloadSchema: patchField('object', 'null'),
      templates: patchField('boolean', 'null'),
      priority: patchField('string', 'null'),
      pool: patchField('string', 'null'),
      retry: patchField('object', 'null'),
      misfire: patchField('object', 'null'),
      overlap: patchField('string', 'null'),
      orderingKey: patchField('string', 'null'),
      concurrencyKey: patchField('string', 'null'),
      onFailure: patchField('string', 'null'),
      timeout: patchField('string', 'null'),
      tags: patchField('object', 'null'),
      runTags: described(z.optional(z.unknown()), {
        override: { type: ['array', 'null'], items: { type: 'string' } },
      }),
      externalId: patchField('string', 'null'),
      pauseAfter: patchField('object', 'null'),
      expectEvery: patchField('string', 'null'),
      expectDuration: patchField('object', 'null'),
      onEnd: patchField('object', 'null'),
    } satisfies Record<keyof typeof definition, z.ZodMiniType>),
  }),
  { id: 'JobPatch', description: 'A JSON merge patch of a job (RFC 7386).' },
);

export const RetryExecutionBody = described(
  z.strictObject({
    payload: described(z.optional(z.unknown()), {
      description: 'Replaces the payload from the first attempt of this retry on.',
    }),
    ...RUN_RETRY_FIELDS,
  }),
  { id: 'RetryRequest' },
);

export const CancelExecutionBody = described(
  z.strictObject({
    force: described(z.optional(z.boolean()), {
      description: 'Only for a run: its finally tasks are cancelled too.',
    }),
  }),
  { id: 'CancelRequest' },
);

/** Body of operations that take no input. */
export const EmptyBody = described(z.strictObject({}), { id: 'Nothing' });

/** Body of a pause. */
export const PauseBody = described(
  z.strictObject({
    until: described(z.optional(instant), {
      description:
        'When the job is resumed by itself: at most 400 days ahead, and not after its last due time. ' +
        'Absent: when a user resumes it.',
    }),
  }),
  { id: 'PauseRequest' },
);

/** Fields that responses have and requests must not. */
export const READ_ONLY_FIELDS: ReadonlySet<string> = new Set([
  'status',
  'generation',
  'createdAt',
  'updatedAt',
  'scheduleChangedAt',
  'pausedUntil',
  'by',
  'changeNumber',
  'workflowVersion',
  'payloadSchemaUnchecked',
  'note',
  'nextFireAt',
  'lastExecution',
]);

/** Body of operations on an ordering key. */
export const OrderingKeyBody = described(z.strictObject({ orderingKey: OrderingKey }), {
  id: 'OrderingKeyRequest',
});
