import type { Lease } from '../../execution-store';
import type { Row } from '../access';

export const isRunning = '#status = :running';
export const isNotCancelled = 'attribute_not_exists(#cancelRequested)';
/** A late write must not take back a newer heartbeat of another process. */
export const isLatestHeartbeat = '#heartbeatAtMs <= :nowMs';

/**
 * The condition that the lease still holds the row: it is running, and no other claim was made since.
 * `recordsSeen` adds that no target has reported since. `holdsLease` says the same of a row that was read.
 */
export const underLease = ({
  claimId,
  fence,
  recordsSeen,
}: Pick<Lease, 'claimId' | 'fence' | 'recordsSeen'>): { condition: string; values: Row } => {
  const isHolder = `${isRunning} AND #claimId = :claimId AND #fence = :fence`;
  const values = { ':running': 'running', ':claimId': claimId, ':fence': fence };
  if (recordsSeen === undefined) return { condition: isHolder, values };
  return {
    condition: `${isHolder} AND size(#attempts) = :recordsSeen`,
    values: { ...values, ':recordsSeen': recordsSeen },
  };
};
