import { type AwsReply, awsError } from '../aws-call';

const MAX_DELAY_SEC = 900;

/**
 * Refuses what SQS refuses and fauxqs takes: a `DelaySeconds` that is no whole number from 0 to 900. A single message
 * is an error; in a batch only the entry fails, and the rest is forwarded.
 */
export async function refuseLongDelays(
  body: Record<string, unknown>,
  forward: (body: Record<string, unknown>) => Promise<AwsReply>,
): Promise<AwsReply> {
  if (!isDelay(body.DelaySeconds)) return awsError(400, 'InvalidParameterValue', reason(body.DelaySeconds));

  const entries = Array.isArray(body.Entries) ? (body.Entries as Record<string, unknown>[]) : [];
  const refused = entries.filter(({ DelaySeconds }) => !isDelay(DelaySeconds));
  if (refused.length === 0) return forward(body);

  const rest = entries.filter(({ DelaySeconds }) => isDelay(DelaySeconds));
  const reply = rest.length > 0 ? await forward({ ...body, Entries: rest }) : emptyReply();
  if (reply.status !== 200) return reply;
  const answer = JSON.parse(String(reply.body)) as { Successful?: unknown[]; Failed?: unknown[] };
  const failed = refused.map(({ Id, DelaySeconds }) => ({
    Id,
    SenderFault: true,
    Code: 'InvalidParameterValue',
    Message: reason(DelaySeconds),
  }));
  return {
    ...reply,
    body: JSON.stringify({
      Successful: answer.Successful ?? [],
      Failed: [...(answer.Failed ?? []), ...failed],
    }),
  };
}

const isDelay = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DELAY_SEC);

const reason = (value: unknown): string =>
  `Value ${String(value)} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${MAX_DELAY_SEC}.`;

const emptyReply = (): AwsReply => ({
  status: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: '{}',
});
