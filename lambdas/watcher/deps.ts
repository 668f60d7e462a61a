import type { StageDeps } from '../core/deps';
import type { ErrandProbes } from '../core/delivery/errands/errand-calls';
import type { ProbeBudget } from '../core/domain/probe-budget';

export interface WatcherDeps extends StageDeps {
  errandProbes: ErrandProbes;
  probeBudget: ProbeBudget;
}
