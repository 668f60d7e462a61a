import * as z from 'zod/mini';

import type { Target } from '../domain/target';
import { isHeaderValue, MAX_HEADERS_BYTES } from '../domain/target-limits';
import { EVENT_SOURCE } from '../contracts/events';
import { duration, singleLine, textMap, textUpTo } from './fields';

const MAX_HEADERS = 100;

/** Headers that frame the message, belong to one connection, or are set by Quarterjack. */
const RESERVED_NAMES = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const RESERVED_PREFIXES = ['proxy-', 'quarterjack-', 'webhook-', 'x-amz-', 'x-amzn-'];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

const headers = textMap(z.string()).check(
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
      if (!TOKEN.test(name))
        reject(
          "is not a header name: must be 1 to 128 letters, digits or characters of !#$%&'*+-.^_`|~",
          name,
        );
      else if (isReserved(key)) reject('is set by Quarterjack or by HTTP itself', name);
      else if (seen.has(key)) reject('is given twice: names that differ only in case are equal', name);
      if (!isHeaderValue(value)) reject('must consist of printable ASCII characters', name);
      seen.add(key);
    }
    if (bytes > MAX_HEADERS_BYTES)
      reject(`must have at most ${MAX_HEADERS_BYTES} bytes in all names and values, not ${bytes}`);
  }),
);

const isReserved = (key: string): boolean =>
  RESERVED_NAMES.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));

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

/** The fields of each target type. A type of the union `Target` that is missing here does not compile. */
const TYPES = {
  http: z
    .strictObject({
      type: z.literal('http'),
      /** `delivery/targets/http.ts` checks it by the rules of the deployment. */
      url: z.string(),
      method: z._default(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 'POST'),
      headers: z._default(headers, {}),
      timeout: z._default(duration('1s', '14m'), '30s'),
      mode,
      heartbeatTimeout,
    })
    .check(FITS_MODE),
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
} satisfies { [Type in Target['type']]: z.ZodMiniType<{ type: Type }> };

const NAMES = Object.keys(TYPES).map((name) => JSON.stringify(name));
type AnyOfThem = (typeof TYPES)[keyof typeof TYPES];

/** A target as requests give it, and, with its defaults, as responses show it. */
export const TargetFields = z.discriminatedUnion(
  'type',
  Object.values(TYPES) as unknown as readonly [AnyOfThem, ...AnyOfThem[]],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}` : undefined,
  },
);

/** A target as it is stored: without `mode` "sync", and without an absent `heartbeatTimeout`. */
export const TargetBody = z.pipe(
  TargetFields,
  z.transform((target: z.output<typeof TargetFields>): Target => {
    if (target.type !== 'http' && target.type !== 'lambda') return target;
    const { mode: given, heartbeatTimeout: silence, ...rest } = target;
    return {
      ...rest,
      ...(given === 'async' && { mode: given }),
      ...(silence !== undefined && { heartbeatTimeout: silence }),
    };
  }),
);
