import type { AwsSite, Site } from './site/site';

/** What a check found, in one sentence, with figures if it has any. */
export interface Finding {
  holds: boolean;
  /** False: this deployment cannot be asked for it, whatever `holds` says. @default true */
  applies?: boolean;
  detail: string;
  /** Figures for the report. */
  figures?: unknown;
}

/** A flag of checks that take long, change the deployment or need a secret. */
export type Wish = 'token' | 'id-token' | 'disturb' | 'change' | 'long' | 'memory';

interface Described {
  /** Unique among all checks, such as `delivery/never-early`. */
  name: string;
  /** What is promised, in one sentence without a full stop. */
  promise: string;
  /** Flags without which the check is not made. */
  needs: readonly Wish[];
}

export interface CheckEverywhere extends Described {
  on: 'everywhere';
  run(site: Site): Promise<Finding>;
}

export interface CheckOnAws extends Described {
  on: 'aws';
  run(site: AwsSite): Promise<Finding>;
}

export type Check = CheckEverywhere | CheckOnAws;

/** Checks of one subject, in their order. */
export interface Step {
  name: string;
  title: string;
  checks: readonly Check[];
  /** If one of its checks fails, the later steps are not run. */
  isCondition?: true;
}

export const everywhere = (
  name: string,
  promise: string,
  run: (site: Site) => Promise<Finding>,
  ...needs: Wish[]
): CheckEverywhere => ({ name, promise, run, needs, on: 'everywhere' });

/** For what a local run does not have, or what takes longer than a test may. */
export const onAws = (
  name: string,
  promise: string,
  run: (site: AwsSite) => Promise<Finding>,
  ...needs: Wish[]
): CheckOnAws => ({ name, promise, run, needs, on: 'aws' });

/** A finding that holds if there is no problem. At most three problems are named. */
export function noProblems(problems: readonly string[], otherwise: string, figures?: unknown): Finding {
  const named = problems.slice(0, 3).join('; ');
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : '';
  return {
    holds: problems.length === 0,
    detail: problems.length === 0 ? otherwise : named + more,
    ...(figures !== undefined && { figures }),
  };
}
