import { instantText } from '../../core/clock/clock';
import type { FailureAck } from '../../core/domain/failure-ack';
import type { FailureAckView } from '../../core/http/openapi/failure-ack';

export const failureAckView = (ack: FailureAck): FailureAckView => ({
  fingerprint: ack.fingerprint,
  note: ack.note ?? null,
  at: instantText(ack.atMs),
  until: instantText(ack.untilMs),
  by: ack.by,
  jobs: ack.jobIds.length,
});
