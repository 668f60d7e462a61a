import type { Delivery } from '../delivery';

/** What a delivery says of itself beside its body, by the names of the HTTP headers. */
const ATTRIBUTES = [
  'webhook-id',
  'quarterjack-job',
  'quarterjack-execution',
  'quarterjack-attempt',
  'quarterjack-fence',
  'quarterjack-due',
  'traceparent',
] as const;

export const attributesOf = ({ headers }: Delivery): [name: string, value: string][] =>
  ATTRIBUTES.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));

/** The same as SQS and SNS take them. */
export const messageAttributesOf = (
  delivery: Delivery,
): Record<string, { DataType: 'String'; StringValue: string }> =>
  Object.fromEntries(
    attributesOf(delivery).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
  );

/** The id of the execution for its target: the same on every attempt. */
export const deliveryIdIn = ({ headers }: Delivery): string => headers['webhook-id']!;

/** Services that take JSON take no empty body: no payload is an empty object. */
export const jsonOf = ({ body }: Delivery): string => (body.length === 0 ? '{}' : body.toString('utf8'));

/** FIFO queues and topics: a job's messages in order, an execution's once. */
export const fifoOf = (
  nameOrUrl: string,
  delivery: Delivery,
): { MessageGroupId?: string; MessageDeduplicationId?: string } =>
  nameOrUrl.endsWith('.fifo')
    ? {
        MessageGroupId: delivery.headers['quarterjack-job']!,
        MessageDeduplicationId: deliveryIdIn(delivery),
      }
    : {};
