import * as z from 'zod/mini';

import type { Target } from '../domain/target';
import { EVENT_SOURCE } from '../contracts/events';
import { duration, line, textMap, textUpTo } from './fields';

const MAX_HEADERS = 100;
const MAX_HEADERS_BYTES = 8_192;

/** Headers that frame the message, that belong to the deliveryDepth, or that a delivery sets itself. */
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
const PRINTABLE = /^[\t\u0020-\u007e]*$/;

const headers = textMap(z.string()).check(
  z.superRefine((given, context) => {
    const refuse = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    const entries = Object.entries(given);
    if (entries.length > MAX_HEADERS) return refuse(`must be at most ${MAX_HEADERS}, not ${entries.length}`);
    const seen = new Set<string>();
    let bytes = 0;
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      bytes += name.length + value.length;
      if (!TOKEN.test(name))
        refuse("is not a header name: 1 to 128 letters, digits and !#$%&'*+-.^_`|~", name);
      else if (isReserved(key)) refuse('is set by Quarterjack or by HTTP itself', name);
      else if (seen.has(key)) refuse('is given twice (the case of letters does not count)', name);
      if (!PRINTABLE.test(value)) refuse('must consist of printable ASCII characters', name);
      seen.add(key);
    }
    if (bytes > MAX_HEADERS_BYTES)
      refuse(`must have at most ${MAX_HEADERS_BYTES} bytes together, not ${bytes}`);
  }),
);

const isReserved = (key: string): boolean =>
  RESERVED_NAMES.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));

const mode = z._default(z.enum(['sync', 'async']), 'sync');
const heartbeatTimeout = z.optional(duration('1s', '7d'));
const BELONGS_TO_ASYNC = { path: ['heartbeatTimeout'], message: 'belongs to mode "async"' };
const fitsMode = (target: { mode: string; heartbeatTimeout?: string }): boolean =>
  target.mode === 'async' || target.heartbeatTimeout === undefined;

/** Whether its URL may be called is for the deployment's address policy to say. */
const HttpTargetBody = z
  .strictObject({
    type: z.literal('http'),
    url: z.string(),
    method: z._default(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), 'POST'),
    headers: z._default(headers, {}),
    timeout: z._default(duration('1s', '14m'), '30s'),
    mode,
    heartbeatTimeout,
  })
  .check(z.refine(fitsMode, BELONGS_TO_ASYNC));

/** Names of AWS resources: their form, and whether this deployment allows them, is for its AWS policy to say. */
const awsName = textUpTo(256);
const LambdaTargetBody = z
  .strictObject({ type: z.literal('lambda'), functionArn: awsName, mode, heartbeatTimeout })
  .check(z.refine(fitsMode, BELONGS_TO_ASYNC));
const SqsTargetBody = z.strictObject({ type: z.literal('sqs'), queueUrl: awsName });
const SnsTargetBody = z.strictObject({ type: z.literal('sns'), topicArn: awsName });

/** Sources that their readers trust to be AWS, or the lifecycle events of this very deployment. */
const isReservedSource = (source: string): boolean =>
  source.startsWith('aws.') || source === EVENT_SOURCE || source.startsWith(`${EVENT_SOURCE}.`);

const EventBridgeTargetBody = z.strictObject({
  type: z.literal('eventbridge'),
  eventBusName: awsName,
  source: line(1, 256).check(
    z.refine(
      (source) => !isReservedSource(source),
      `must not be "${EVENT_SOURCE}" or begin with "${EVENT_SOURCE}." or "aws."`,
    ),
  ),
  detailType: line(1, 128),
});
const StepFunctionsTargetBody = z.strictObject({
  type: z.literal('stepfunctions'),
  stateMachineArn: awsName,
});

const byType = z.discriminatedUnion(
  'type',
  [
    HttpTargetBody,
    LambdaTargetBody,
    SqsTargetBody,
    SnsTargetBody,
    EventBridgeTargetBody,
    StepFunctionsTargetBody,
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'must be "http", "lambda", "sqs", "sns", "eventbridge" or "stepfunctions"'
        : undefined,
  },
);

/** As it is stored, what is not said takes no room. */
export const TargetBody = z.pipe(
  byType,
  z.transform((target: z.output<typeof byType>): Target => {
    if (target.type !== 'http' && target.type !== 'lambda') return target;
    const { mode: asked, heartbeatTimeout: silence, ...rest } = target;
    return {
      ...rest,
      ...(asked === 'async' && { mode: asked }),
      ...(silence !== undefined && { heartbeatTimeout: silence }),
    };
  }),
);
