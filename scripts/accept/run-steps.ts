import type { Check, Step, Wish } from './check';
import type { Site } from './site/site';

export type Outcome = 'passed' | 'failed' | 'not applicable' | 'not asked for' | 'not run';

/** What became of one check. */
export interface Result {
  step: string;
  check: string;
  promise: string;
  outcome: Outcome;
  detail: string;
  figures?: unknown;
  /** Milliseconds. */
  tookMs: number;
}

export interface RunOptions {
  wishes: ReadonlySet<Wish>;
  onStep(title: string): void;
  onResult(result: Result): void;
}

/**
 * Runs the steps in their order. A check that throws has failed, with the message of its error. After a
 * condition that does not hold, the rest is not run.
 */
export async function runSteps(steps: readonly Step[], site: Site, options: RunOptions): Promise<Result[]> {
  const results: Result[] = [];
  let isOver = false;
  for (const { name: step, title, checks, isCondition } of steps) {
    options.onStep(title);
    let hasFailed = false;
    for (const check of checks) {
      const startMs = site.nowMs();
      const found: Found = isOver ? NOT_RUN : await runCheck(check, site, options.wishes);
      const { name, promise } = check;
      const result: Result = { step, check: name, promise, ...found, tookMs: site.nowMs() - startMs };
      hasFailed ||= result.outcome === 'failed';
      results.push(result);
      options.onResult(result);
    }
    isOver ||= isCondition === true && hasFailed;
  }
  return results;
}

type Found = Pick<Result, 'outcome' | 'detail' | 'figures'>;

const NOT_RUN: Found = { outcome: 'not run', detail: 'a condition before it does not hold' };

async function runCheck(check: Check, site: Site, wishes: ReadonlySet<Wish>): Promise<Found> {
  if (check.on === 'aws' && site.kind !== 'aws')
    return { outcome: 'not applicable', detail: 'only a deployment in AWS has it' };
  const missing = check.needs.filter((wish) => !wishes.has(wish));
  if (missing.length > 0)
    return { outcome: 'not asked for', detail: `needs ${missing.map((wish) => `--${wish}`).join(' and ')}` };
  try {
    const { holds, applies = true, detail, figures } = await runIn(check, site);
    if (!applies) return { outcome: 'not applicable', detail };
    return { outcome: holds ? 'passed' : 'failed', detail, ...(figures !== undefined && { figures }) };
  } catch (error) {
    return { outcome: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

function runIn(check: Check, site: Site) {
  if (check.on === 'everywhere') return check.run(site);
  if (site.kind !== 'aws') throw new Error(`${check.name} is a check of AWS`);
  return check.run(site);
}

/** 0 if no check has failed, otherwise 1. What was not applicable or not asked for is no failure. */
export const exitCodeOf = (results: readonly Result[]): 0 | 1 =>
  results.some(({ outcome }) => outcome === 'failed' || outcome === 'not run') ? 1 : 0;
