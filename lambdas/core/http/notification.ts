import * as z from 'zod/mini';

import { INCIDENT_KINDS, isIncidentTarget, SEVERITIES } from '../domain/incident';
import { NOTIFICATION_FORMATS, NOTIFICATION_KINDS, type NotificationKind } from '../domain/notification';
import type { Target } from '../domain/target';
import { described, duration, JobId, partialRecord, singleLine } from './fields';
import { CALLED_TYPES, CalledTargetFields, storedTarget } from './target';
import { reference } from './target-auth';

/** The id of a notification, in paths. It has the form of a jobId. */
export const NotificationPath = z.strictObject({ id: JobId });

const KINDS = `must have 1 to ${NOTIFICATION_KINDS.length} different values`;
const TAG = /^[^:]{1,64}:/;
const SOURCE_ID = 'must be the id of an alert source: 1 to 64 of A-Z a-z 0-9 _ -';
/** One `@`, no space and no character with a meaning in a header. SNS checks the rest. */
const EMAIL = /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/u;

/** An address. Messages come once its owner has confirmed the subscription. */
const EmailFields = z.strictObject({
  type: z.literal('email'),
  to: described(z.string().check(z.regex(EMAIL, 'must be an email address, such as "ops@example.com"')), {
    examples: ['ops@example.com'],
  }),
});

const PagerDutyFields = z.strictObject({
  type: z.literal('pagerduty'),
  routingKey: described(reference(), { examples: ['{{ secrets.pagerduty }}'] }),
  region: described(z.optional(z.enum(['us', 'eu'])), { description: 'Default: `us`.' }),
});

const IncidentIoFields = z.strictObject({
  type: z.literal('incident-io'),
  sourceId: described(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, SOURCE_ID)), {
    examples: ['01GW2G3V0S59R238FAHPDS1R66'],
  }),
  token: described(reference(), { examples: ['{{ secrets.incident_io }}'] }),
});

const OWN_TYPES = { email: EmailFields, pagerduty: PagerDutyFields, 'incident-io': IncidentIoFields };

/** A target of a job, or one of notifications alone. */
const anyOfThem = () => z.union([EmailFields, PagerDutyFields, IncidentIoFields, CalledTargetFields]);
export const NotificationTargetFields = anyOfThem();

/** The target of a notification, as the OpenAPI document names it for requests. */
export const NotificationTargetRequest = described(anyOfThem(), {
  id: 'NotificationTarget',
  description:
    'A target as of a job, an email address, or a service that keeps incidents. A worker cannot be one.',
  unusedIO: 'input',
});

type OwnTarget = Extract<Target, { type: keyof typeof OWN_TYPES }>;
const isOwnType = (target: { type: string }): target is OwnTarget => Object.hasOwn(OWN_TYPES, target.type);

const ALL_TYPES: readonly string[] = [...CALLED_TYPES, ...Object.keys(OWN_TYPES)];
const unknownType = (type: string): string =>
  `${JSON.stringify(type)} must be one of ${ALL_TYPES.join(', ')}`;

/** By its type, so that errors name the fields of that type alone. */
const NotificationTarget = described(
  z.pipe(
    z.unknown(),
    z.transform((given, context): Target => {
      const type = typeof given === 'object' && given !== null && 'type' in given ? String(given.type) : '';
      if (type !== '' && !ALL_TYPES.includes(type)) {
        context.issues.push({ code: 'custom', path: ['type'], message: unknownType(type), input: given });
        return z.NEVER;
      }
      const own = Object.hasOwn(OWN_TYPES, type) ? OWN_TYPES[type as keyof typeof OWN_TYPES] : undefined;
      const parsed = (own ?? CalledTargetFields).safeParse(given);
      if (parsed.success) return isOwnType(parsed.data) ? parsed.data : storedTarget(parsed.data);
      for (const issue of parsed.error.issues) context.issues.push(issue as z.core.$ZodRawIssue);
      return z.NEVER;
    }),
  ),
  { override: { $ref: '#/components/schemas/NotificationTarget' } },
);

interface OfIncidents {
  on: readonly NotificationKind[];
  target?: Target;
  format: string;
  severity?: object | undefined;
}

/** An incident is what a later success resolves: other kinds have none. */
const FITS_INCIDENTS = z.superRefine<OfIncidents>(({ on, target, format, severity }, context) => {
  const reject = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  if (!target || !isIncidentTarget(target)) {
    if (severity !== undefined)
      reject(['severity'], 'is only allowed with a target "pagerduty" or "incident-io"');
    return;
  }
  const allowed: readonly string[] = [...INCIDENT_KINDS, 'recovered'];
  for (const [index, kind] of on.entries())
    if (!allowed.includes(kind))
      reject(['on', index], `must be ${allowed.join(', ')} with a target "${target.type}"`);
  if (!on.some((kind) => kind !== 'recovered'))
    reject(['on'], `must have one of ${INCIDENT_KINDS.join(', ')} with a target "${target.type}"`);
  if (format !== 'json') reject(['format'], `is not allowed with a target "${target.type}"`);
});

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
            'What to tell of. `slow` and `quick`: successes that took longer or less long than the `expectDuration` of ' +
            'their job. `waiting-approval`: runs of workflows that wait for an approval. `calendar-ends`: ' +
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
      severity: described(z.optional(partialRecord(z.enum(INCIDENT_KINDS), z.enum(SEVERITIES))), {
        description:
          'Only with a target that keeps incidents. Default: `failed` is `error`, the others are `warning`.',
        examples: [{ failed: 'critical' }],
      }),
    })
    .check(
      FITS_INCIDENTS,
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
        if (target?.type === 'http' && target.cloudEvents && format === 'cloudevents')
          context.addIssue({
            code: 'custom',
            path: ['target', 'cloudEvents'],
            message: 'is not allowed with the format "cloudevents": an event has one mode',
          });
      }),
    ),
  { id: 'NotificationRequest' },
);
export type NotificationBody = z.output<typeof NotificationBody>;
