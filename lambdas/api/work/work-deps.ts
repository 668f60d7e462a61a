import type { StageDeps } from '../../core/deps';
import type { ApiDeps } from '../request';

/** What claims need: a function of their own serves them. */
export interface WorkDeps extends StageDeps, Pick<ApiDeps, 'audit' | 'quotas' | 'secret' | 'written'> {
  /** How many claims that function serves at once. @default `SHARED_CLAIM_CONCURRENCY` */
  claimConcurrency?: number | undefined;
}
