import type { Lease } from '../../execution-store';
import type { Row } from '../access';

export const isRunning = '#status = :running';
export const nobodyCancels = 'attribute_not_exists(#cancelRequested)';

/** The condition that nobody has claimed since, nor reported where that counts. */
export const underLease = ({
  claimId,
  fence,
  recordsSeen,
}: Pick<Lease, 'claimId' | 'fence' | 'recordsSeen'>): { condition: string; values: Row } => ({
  condition: `#claimId = :claimId AND #fence = :fence${recordsSeen === undefined ? '' : ' AND size(#attempts) = :recordsSeen'}`,
  values: {
    ':claimId': claimId,
    ':fence': fence,
    ...(recordsSeen !== undefined && { ':recordsSeen': recordsSeen }),
  },
});
