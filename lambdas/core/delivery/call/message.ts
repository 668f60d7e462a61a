import { createHash } from 'node:crypto';

import { DEPTH_HEADER } from '../../contracts/loop-guard';
import type { Delivery } from '../delivery';

/** Headers of a delivery that AWS targets get beside the body, under the same names. */
const ATTRIBUTES = [
  'webhook-id',
  'quarterjack-job',
  'quarterjack-execution',
  'quarterjack-attempt',
  'quarterjack-fence',
  'quarterjack-due',
  DEPTH_HEADER,
  'traceparent',
  'tracestate',
] as const;

/** The headers, and the project, percent-encoded: it may contain characters that attributes cannot. */
export const attributesOf = ({ project, headers }: Delivery): [name: string, value: string][] => [
  ['quarterjack-project', encodeURIComponent(project)],
  ...ATTRIBUTES.flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, headers[name]]],
  ),
];

/** The attributes in the form of SQS and SNS. */
export const messageAttributesOf = (
  delivery: Delivery,
): Record<string, { DataType: 'String'; StringValue: string }> =>
  Object.fromEntries(
    attributesOf(delivery).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
  );

/** Opaque id of the execution, the same on every attempt. */
export const deliveryIdIn = ({ headers }: Delivery): string => headers['webhook-id']!;

/** The body as JSON. Services that take JSON take no empty body, so a missing payload is `{}`. */
export const jsonOf = ({ body }: Delivery): string => (body.length === 0 ? '{}' : body.toString('utf8'));

/** SQS and SNS allow 128 characters. A jobId has at most 64, and a slash is between the two. */
const MAX_PROJECT_IN_GROUP = 63;

/**
 * One group for each job of each project. An encoded project contains no slash, and never two `%` in a row,
 * so no two jobs share a group.
 */
function groupOf({ project, headers }: Delivery): string {
  const name = encodeURIComponent(project);
  const hash = () => createHash('sha256').update(project).digest('hex').slice(0, 40);
  return `${name.length <= MAX_PROJECT_IN_GROUP ? name : `%%${hash()}`}/${headers['quarterjack-job']}`;
}

/**
 * Fields for FIFO queues and topics: the messages of a job keep their order, and an execution is delivered
 * once.
 */
export const fifoFieldsOf = (
  nameOrUrl: string,
  delivery: Delivery,
): { MessageGroupId?: string; MessageDeduplicationId?: string } =>
  nameOrUrl.endsWith('.fifo')
    ? {
        MessageGroupId: groupOf(delivery),
        MessageDeduplicationId: deliveryIdIn(delivery),
      }
    : {};
