import * as z from 'zod/mini';

import { NOTIFICATION_FORMATS, NOTIFICATION_KINDS } from '../domain/notification';
import type { Target } from '../domain/target';
import { described, duration, JobId, singleLine } from './fields';
import { storedTarget, CalledTargetFields } from './target';

/** The id of a notification, in paths. It has the form of a jobId. */
export const NotificationPath = z.strictObject({ id: JobId });

const KINDS = `must have 1 to ${NOTIFICATION_KINDS.length} different values`;
const TAG = /^[^:]{1,64}:/;
/** One `@`, no space and no character with a meaning in a header. SNS checks the rest. */
const EMAIL = /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/u;

/** An address. Messages come once its owner has confirmed the subscription. */
const EmailFields = z.strictObject({
  type: z.literal('email'),
  to: described(z.string().check(z.regex(EMAIL, 'must be an email address, such as "ops@example.com"')), {
    examples: ['ops@example.com'],
  }),
});

/** A target of a job, or an email address. */
export const NotificationTargetFields = z.union([EmailFields, CalledTargetFields]);

/** The target of a notification, as the OpenAPI document names it for requests. */
export const NotificationTargetRequest = described(z.union([EmailFields, CalledTargetFields]), {
  id: 'NotificationTarget',
  description: 'A target as of a job, or an email address. A worker cannot be one.',
  unusedIO: 'input',
});

/** By its type, so that errors name the fields of that type alone. */
const NotificationTarget = described(
  z.pipe(
    z.unknown(),
    z.transform((given, context): Target => {
      const isEmail =
        typeof given === 'object' && given !== null && 'type' in given && given.type === 'email';
      const parsed = (isEmail ? EmailFields : CalledTargetFields).safeParse(given);
      if (parsed.success) return parsed.data.type === 'email' ? parsed.data : storedTarget(parsed.data);
      for (const issue of parsed.error.issues) context.issues.push(issue as z.core.$ZodRawIssue);
      return z.NEVER;
    }),
  ),
  { override: { $ref: '#/components/schemas/NotificationTarget' } },
);

/** Body of `PUT /v1/notifications/{id}`. */
export const NotificationBody = described(
  z
    .strictObject({
      on: described(
        z.array(z.enum(NOTIFICATION_KINDS)).check(
          z.minLength(1, KINDS),
          z.refine((kinds) => new Set(kinds).size === kinds.length, KINDS),
        ),
        {
          description:
            'What to tell of. `waiting-approval`: runs of workflows that wait for an approval. `calendar-ends`: ' +
            'calendars that jobs use and that know nothing after a day, a month before it.',
        },
      ),
      filter: z.optional(
        z.strictObject({
          tag: described(singleLine(2, 321).check(z.regex(TAG, 'must be a tag, such as "team:billing"')), {
            description: 'Only jobs with this tag.',
            examples: ['team:billing'],
          }),
        }),
      ),
      lateAfter: described(z.optional(duration('30s', '30d')), {
        description:
          'Needed with `late`: an execution is late if it has not ended this long after its due time.',
      }),
      target: NotificationTarget,
      minInterval: described(z._default(duration('1m', '7d'), '10m'), {
        description: 'Least time between two messages about the problems of one job.',
      }),
      format: z._default(z.enum(NOTIFICATION_FORMATS), 'json'),
    })
    .check(
      z.superRefine(({ on, lateAfter, target, format }, context) => {
        const isLate = on.includes('late');
        if (isLate && lateAfter === undefined)
          context.addIssue({ code: 'custom', path: ['lateAfter'], message: 'is required with "late" in on' });
        if (!isLate && lateAfter !== undefined)
          context.addIssue({
            code: 'custom',
            path: ['lateAfter'],
            message: 'is only allowed with "late" in on',
          });
        if (target?.type === 'email' && format !== 'json')
          context.addIssue({
            code: 'custom',
            path: ['format'],
            message: 'is not allowed with a target "email"',
          });
      }),
    ),
  { id: 'NotificationRequest' },
);
export type NotificationBody = z.output<typeof NotificationBody>;
