import * as z from 'zod/mini';

import { faultOfHeaderName, isHeaderValue, MAX_HEADERS_BYTES } from '../domain/target-limits';
import type { NotificationOnlyTarget } from '../domain/notification-targets';
import type { Target } from '../domain/target';
import { EVENT_SOURCE, isReservedSource } from '../contracts/events';
import { ActionFields } from './action-target';
import { BatchFields, CodeBuildFields, EcsFields, GlueFields } from './errand-targets';
import { AuthFields, FITS_AUTH, TlsFields } from './target-auth';
import { record, described, singleLine, textUpTo, duration } from './fields';
import { MonitorFields } from './monitor';
import { WorkQueueName } from './work';

const MAX_HEADERS = 100;

/** The headers of a target. */
const headers = record(z.string(), z.string()).check(
  z.superRefine((given, context) => {
    const reject = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    const entries = Object.entries(given);
    if (entries.length > MAX_HEADERS)
      return reject(`must have at most ${MAX_HEADERS} headers, not ${entries.length}`);
    const seen = new Set<string>();
    let bytes = 0;
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      bytes += name.length + value.length;
      const fault = faultOfHeaderName(name);
      if (fault) reject(fault, name);
      else if (seen.has(key)) reject('is given twice: names that differ only in case are equal', name);
      if (!isHeaderValue(value)) reject('must consist of printable ASCII characters', name);
      seen.add(key);
    }
    if (bytes > MAX_HEADERS_BYTES)
      reject(`must have at most ${MAX_HEADERS_BYTES} bytes in all names and values, not ${bytes}`);
  }),
);

const mode = z._default(z.enum(['sync', 'async']), 'sync');
const heartbeatTimeout = z.optional(duration('1s', '7d'));
const observe = described(z.optional(z.boolean()), {
  description:
    'If true, a delivery of mode `sync` also has a token for heartbeats with progress, and for the log. ' +
    'Its response stays the result. Default: false.',
});
const NAMES_ALLOWED = 'must have 1 to 20 names';
const fatalErrors = described(
  z.optional(
    z.array(singleLine(1, 256)).check(z.minLength(1, NAMES_ALLOWED), z.maxLength(20, NAMES_ALLOWED)),
  ),
  {
    description:
      'Names of errors after which there is no other attempt: `error` of a state machine, `errorType` of a function. ' +
      'Only with `wait` or `durable`.',
  },
);
type AsErrand = {
  durable?: boolean;
  wait?: boolean;
  mode?: string;
  observe?: boolean;
  fatalErrors?: string[];
};
const FITS_ERRAND = z.superRefine<AsErrand>((target, context) => {
  const reject = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (target.durable && target.mode === 'async') reject('durable', 'is not allowed with mode "async"');
  if (target.durable && target.observe) reject('observe', 'is not allowed with "durable"');
  if (target.fatalErrors && !target.durable && !target.wait)
    reject('fatalErrors', 'is only allowed with "wait" or "durable"');
});
const FITS_MODE = z.superRefine<{ mode: string; heartbeatTimeout?: string; observe?: boolean }>(
  ({ mode: given, heartbeatTimeout: silence, observe: observed }, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (given !== 'async' && silence !== undefined)
      reject('heartbeatTimeout', 'is only allowed with mode "async"');
    if (given === 'async' && observed)
      reject('observe', 'is not allowed with mode "async": its token does all of that');
  },
);

const FITS_EVENTS = z.superRefine<{ headers: Record<string, string>; cloudEvents?: boolean }>(
  ({ headers: given, cloudEvents }, context) => {
    const own = cloudEvents ? Object.keys(given).filter((name) => /^ce-/i.test(name)) : [];
    const message = 'is not allowed with "cloudEvents": headers that begin with "ce-" are those of the event';
    for (const name of own) context.addIssue({ code: 'custom', path: ['headers', name], message });
  },
);

/** Names of AWS resources. `delivery/targets/` checks their form, and whether the deployment allows them. */
const awsName = textUpTo(256);

const functionArn = described(textUpTo(256), {
  description: 'ARN of a function, or of a version or alias of one.',
  examples: ['arn:aws:lambda:eu-central-1:111122223333:function:report:live'],
});

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
      tls: z.optional(TlsFields),
      timeout: z._default(duration('1s', '14m'), '30s'),
      mode,
      heartbeatTimeout,
      observe,
      keepResponse: described(z.optional(z.boolean()), {
        description:
          'If true, the log also gets the response of a success: what follows its first 256 bytes, up to 4 KB. ' +
          'Without it, only that of a failed execution, after its first 2 KB.',
      }),
      cloudEvents: described(z.optional(z.boolean()), {
        description:
          'If true, each delivery is an event of CloudEvents 1.0 in binary mode: its attributes are headers `ce-…`. ' +
          'Default: false.',
      }),
    })
    .check(FITS_MODE, FITS_AUTH, FITS_EVENTS),
  lambda: z
    .strictObject({ type: z.literal('lambda'), functionArn, mode, heartbeatTimeout, observe })
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
  lambda: z
    .strictObject({
      type: z.literal('lambda'),
      functionArn,
      mode,
      heartbeatTimeout,
      observe,
      durable: described(z.optional(z.boolean()), {
        description:
          'If true, the function is durable, and the attempt ends as its durable execution ends. The ARN has a version ' +
          'or an alias.',
      }),
      fatalErrors,
    })
    .check(FITS_MODE, FITS_ERRAND),
  stepfunctions: z
    .strictObject({
      type: z.literal('stepfunctions'),
      stateMachineArn: awsName,
      wait: described(z.optional(z.boolean()), {
        description:
          'If true, the attempt ends when the execution of the state machine ends, as it has ended. ' +
          'Without it, the attempt has succeeded once that has started.',
      }),
      fatalErrors,
    })
    .check(FITS_ERRAND),
  ecs: EcsFields,
  batch: BatchFields,
  glue: GlueFields,
  codebuild: CodeBuildFields,
  aws: ActionFields,
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
  monitor: MonitorFields,
} satisfies {
  [Type in Exclude<Target['type'], NotificationOnlyTarget['type']>]: z.ZodMiniType<{ type: Type }>;
};

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
  description: 'What is called, which queue a worker asks, or how soon the job pings that runs elsewhere.',
});
/** Types of targets that are called. */
export const CALLED_TYPES: readonly string[] = Object.keys(CALLED);

/** One of several targets, or one that follows from an end: each of them is called. */
export const CalledTargetFields = described(unionOf(CALLED), {
  id: 'CalledTarget',
  description: 'What is called.',
});

/** A target as it is stored: without `mode` "sync", values that are false, and what is absent. */
export function storedTarget(
  target: z.output<typeof TargetFields> | z.output<typeof CalledTargetFields>,
): Target {
  if (target.type === 'stepfunctions') {
    const { wait, fatalErrors: fatal, ...rest }: z.output<typeof TYPES.stepfunctions> = target;
    return { ...rest, ...(wait === true && { wait }), ...(fatal && { fatalErrors: fatal }) };
  }
  if (target.type !== 'http' && target.type !== 'lambda') return target;
  const { mode: given, heartbeatTimeout: silence, observe: observed, ...rest } = target;
  const reporting = {
    ...(given === 'async' && { mode: given }),
    ...(silence !== undefined && { heartbeatTimeout: silence }),
    ...(observed === true && { observe: observed }),
  };
  if (rest.type === 'lambda') {
    const {
      durable,
      fatalErrors: fatal,
      ...lambda
    }: Omit<z.output<typeof TYPES.lambda>, 'mode' | 'observe'> = rest;
    const asErrand = { ...(durable === true && { durable }), ...(fatal && { fatalErrors: fatal }) };
    return { ...lambda, ...reporting, ...asErrand };
  }
  const { keepResponse, cloudEvents, ...http } = rest;
  return {
    ...http,
    ...reporting,
    ...(keepResponse === true && { keepResponse }),
    ...(cloudEvents === true && { cloudEvents }),
  };
}

export const TargetBody = z.pipe(TargetFields, z.transform(storedTarget));
export const CalledTargetBody = z.pipe(
  CalledTargetFields,
  z.transform((target: z.output<typeof CalledTargetFields>) => storedTarget(target)),
);
