import type { ApiDeps } from '../request';

/** Whether a request has used up its CPU time. Asked between two steps, each of which is short. */
export type IsSpent = () => boolean;

/** A budget of CPU time that begins now. */
export function cpuBudget({ cpuMs }: Pick<ApiDeps, 'cpuMs'>, budgetMs: number): IsSpent {
  const startMs = cpuMs();
  return () => cpuMs() - startMs >= budgetMs;
}
