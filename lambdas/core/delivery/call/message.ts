import type { Delivery } from '../delivery';

/** Headers of a delivery that AWS targets get beside the body, under the same names. */
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
        MessageGroupId: delivery.headers['quarterjack-job']!,
        MessageDeduplicationId: deliveryIdIn(delivery),
      }
    : {};
