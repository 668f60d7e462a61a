import * as z from 'zod/mini';

import type { Target } from '../domain/target';
import { EVENT_SOURCE } from '../contracts/events';
import { described, duration, singleLine, textUpTo } from './fields';
import { headers } from './header-rules';
import { AuthFields, FITS_AUTH } from './target-auth';
import { WorkQueueName } from './work';

const mode = z._default(z.enum(['sync', 'async']), 'sync');
const heartbeatTimeout = z.optional(duration('1s', '7d'));
const FITS_MODE = z.refine<{ mode: string; heartbeatTimeout?: string }>(
  (target) => target.mode === 'async' || target.heartbeatTimeout === undefined,
  { path: ['heartbeatTimeout'], message: 'is only allowed with mode "async"' },
);

/** Names of AWS resources. `delivery/targets/` checks their form, and whether the deployment allows them. */
const awsName = textUpTo(256);

/** Sources that receivers trust to be AWS, or the lifecycle events of this deployment. */
const isReservedSource = (source: string): boolean =>
  source.startsWith('aws.') || source === EVENT_SOURCE || source.startsWith(`${EVENT_SOURCE}.`);

/** The fields of each type that is called. */
const CALLED = {
  http: z
    .strictObject({
      type: z.literal('http'),
      /** `delivery/targets/registry.ts` checks it by the rules of the deployment. */
      url: z.string(),
      method: z._default(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 'POST'),
      headers: z.prefault(headers, {}),
      auth: z.optional(AuthFields),
      timeout: z._default(duration('1s', '14m'), '30s'),
      mode,
      heartbeatTimeout,
      keepResponse: described(z.optional(z.boolean()), {
        description:
          'If true, the log also gets the response of a success: what follows its first 256 bytes, up to 4 KB. ' +
          'Without it, only that of a failed execution, after its first 2 KB.',
      }),
    })
    .check(FITS_MODE, FITS_AUTH),
  lambda: z
    .strictObject({ type: z.literal('lambda'), functionArn: awsName, mode, heartbeatTimeout })
    .check(FITS_MODE),
  sqs: z.strictObject({ type: z.literal('sqs'), queueUrl: awsName }),
  sns: z.strictObject({ type: z.literal('sns'), topicArn: awsName }),
  eventbridge: z.strictObject({
    type: z.literal('eventbridge'),
    eventBusName: awsName,
    source: singleLine(1, 256).check(
      z.refine(
        (source) => !isReservedSource(source),
        `must not be "${EVENT_SOURCE}" or begin with "${EVENT_SOURCE}." or "aws."`,
      ),
    ),
    detailType: singleLine(1, 128),
  }),
  stepfunctions: z.strictObject({ type: z.literal('stepfunctions'), stateMachineArn: awsName }),
} as const;

/**
 * Those, and the type that workers ask for. A type of the union `Target` that is missing here does not
 * compile.
 */
const TYPES = {
  ...CALLED,
  worker: z.strictObject({
    type: z.literal('worker'),
    queue: WorkQueueName,
    heartbeatTimeout: described(z._default(duration('15s', '1h'), '60s'), {
      description: 'The lease is lost this long after the last heartbeat.',
    }),
    startWithin: described(z.optional(duration('1s', '14d')), {
      description:
        'How long an execution may wait for a worker. Default: until the next occurrence is due, at most `1d`.',
    }),
  }),
} satisfies { [Type in Exclude<Target['type'], 'email'>]: z.ZodMiniType<{ type: Type }> };

const unionOf = <Types extends Record<string, z.ZodMiniObject>>(types: Types) => {
  const names = Object.keys(types).map((name) => JSON.stringify(name));
  type AnyOfThem = Types[keyof Types];
  return z.discriminatedUnion(
    'type',
    Object.values(types) as unknown as readonly [AnyOfThem, ...AnyOfThem[]],
    {
      error: ({ code }) =>
        code === 'invalid_union'
          ? `must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
          : 'must be an object with a type, such as {"type":"http","url":"https://example.com"}',
    },
  );
};

/** A target as requests give it, and, with its defaults, as responses show it. */
export const TargetFields = described(unionOf(TYPES), {
  id: 'Target',
  description: 'What is called, or which queue a worker asks.',
});
/** One of several targets, or one that follows from an end: each of them is called. */
export const CalledTargetFields = described(unionOf(CALLED), {
  id: 'CalledTarget',
  description: 'What is called.',
});

/** A target as it is stored: without `mode` "sync", `keepResponse` false and an absent `heartbeatTimeout`. */
export function storedTarget(target: z.output<typeof TargetFields>): Target {
  if (target.type !== 'http' && target.type !== 'lambda') return target;
  const { mode: given, heartbeatTimeout: silence, ...rest } = target;
  const reporting = {
    ...(given === 'async' && { mode: given }),
    ...(silence !== undefined && { heartbeatTimeout: silence }),
  };
  if (rest.type === 'lambda') return { ...rest, ...reporting };
  const { keepResponse, ...http } = rest;
  return { ...http, ...reporting, ...(keepResponse === true && { keepResponse }) };
}

export const TargetBody = z.pipe(TargetFields, z.transform(storedTarget));
export const CalledTargetBody = z.pipe(
  CalledTargetFields,
  z.transform((target: z.output<typeof CalledTargetFields>) => storedTarget(target)),
);
