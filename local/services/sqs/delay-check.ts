import { type AwsReply, awsError, awsJson } from '../aws-call';

const MAX_DELAY_SEC = 900;

/**
 * Rejects a `DelaySeconds` that is not a whole number from 0 to 900, as SQS does; fauxqs accepts it. A single
 * message is an error. In a batch only the entry fails, and the other entries are forwarded.
 */
export async function rejectInvalidDelays(
  body: Record<string, unknown>,
  forward: (body: Record<string, unknown>) => Promise<AwsReply>,
): Promise<AwsReply> {
  if (!isDelay(body.DelaySeconds)) return awsError(400, 'InvalidParameterValue', reason(body.DelaySeconds));

  const entries = Array.isArray(body.Entries) ? (body.Entries as Record<string, unknown>[]) : [];
  const invalid = entries.filter(({ DelaySeconds }) => !isDelay(DelaySeconds));
  if (invalid.length === 0) return forward(body);

  const valid = entries.filter(({ DelaySeconds }) => isDelay(DelaySeconds));
  const reply = valid.length > 0 ? await forward({ ...body, Entries: valid }) : awsJson({});
  if (reply.status !== 200) return reply;
  const output = JSON.parse(String(reply.body)) as { Successful?: unknown[]; Failed?: unknown[] };
  const failed = invalid.map(({ Id, DelaySeconds }) => ({
    Id,
    SenderFault: true,
    Code: 'InvalidParameterValue',
    Message: reason(DelaySeconds),
  }));
  return {
    ...reply,
    body: JSON.stringify({
      Successful: output.Successful ?? [],
      Failed: [...(output.Failed ?? []), ...failed],
    }),
  };
}

const isDelay = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DELAY_SEC);

const reason = (value: unknown): string =>
  `Value ${String(value)} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${MAX_DELAY_SEC}.`;
