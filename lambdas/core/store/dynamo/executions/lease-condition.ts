import type { Row } from '../access';

export const isRunning = '#status = :running';
export const nobodyCancels = 'attribute_not_exists(#cancelAsked)';

/** The condition that nobody has claimed since. */
export const underLease = (lease: {
  claimId: string;
  fence: number;
}): { condition: string; values: Row } => ({
  condition: '#claimId = :claimId AND #fence = :fence',
  values: { ':claimId': lease.claimId, ':fence': lease.fence },
});
