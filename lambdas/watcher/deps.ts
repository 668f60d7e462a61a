import type { StageDeps } from '../core/deps';
import type { ErrandLooks } from '../core/delivery/errands/errand-calls';
import type { LookBudget } from '../core/domain/look-budget';

export interface WatcherDeps extends StageDeps {
  errandLooks: ErrandLooks;
  lookBudget: LookBudget;
}
