import type { Delivery } from './receiver';

/** An execution as the API shows it. A skipped range counts as `skipped.count` occurrences. */
export interface ExecutionSeen {
  execId: string;
  status: string;
  reason: string | null;
  skipped: { count: number } | null;
  attempts: { attempt: number; fence: number; outcome: string }[];
  /** Present if it is a run of a workflow, which calls no target itself. */
  workflow?: object;
}

export interface JobSeen {
  jobId: string;
  /** How many occurrences its schedule has in total. */
  planned: number;
  executions: ExecutionSeen[];
  /** The tasks of its runs that were claimed, each with the id `run/task`. */
  tasks?: ExecutionSeen[];
}

const TERMINAL = ['succeeded', 'failed', 'cancelled', 'skipped'];

export const isOver = ({ planned, executions }: JobSeen): boolean =>
  coveredCount(executions) >= planned && executions.every(({ status }) => TERMINAL.includes(status));

/**
 * A create was killed after it wrote its entry and before it wrote its job. The occurrences that this entry
 * planned before the repeated create are recorded as superseded. They are not occurrences of the job.
 */
const isLeftover = ({ status, reason }: ExecutionSeen): boolean =>
  status === 'skipped' && reason === 'superseded';

const coveredCount = (executions: readonly ExecutionSeen[]): number =>
  executions
    .filter((execution) => !isLeftover(execution))
    .reduce((sum, { skipped }) => sum + (skipped?.count ?? 1), 0);

const inShort = ({ execId, status, reason, skipped }: ExecutionSeen): string =>
  [execId, status, reason, skipped && `x${skipped.count}`].filter(Boolean).join(' ');

/**
 * Checks these promises: nothing is lost or early, attempts of an execution do not overlap, fences rise, and
 * the history has every delivery. Returns what was broken; empty if all of them held.
 */
export function broken(jobs: readonly JobSeen[], deliveries: readonly Delivery[]): string[] {
  const findings: string[] = [];
  for (const job of jobs) {
    const count = coveredCount(job.executions);
    if (count !== job.planned)
      findings.push(
        `${job.jobId}: ${count} of ${job.planned} occurrences: ${job.executions.map(inShort).join(', ')}`,
      );
    const all = [...job.executions, ...(job.tasks ?? [])];
    for (const execution of all) {
      const name = `${job.jobId} ${execution.execId}`;
      const seen = deliveries
        .filter((one) => one.job === job.jobId && one.execution === execution.execId)
        .sort((a, b) => a.beginMs - b.beginMs);
      findings.push(...brokenOf(execution, seen).map((what) => `${name}: ${what}`));
    }
    const known = new Set(all.map(({ execId }) => execId));
    const ghosts = deliveries.filter((one) => one.job === job.jobId && !known.has(one.execution));
    findings.push(...ghosts.map((one) => `${job.jobId} ${one.execution}: delivered, but not in the history`));
  }
  return findings;
}

function brokenOf({ status, attempts, workflow }: ExecutionSeen, seen: readonly Delivery[]): string[] {
  const findings: string[] = [];
  if (!TERMINAL.includes(status)) findings.push(`is ${status} in the end`);
  if (status === 'succeeded' && !workflow && !seen.some(({ answered }) => answered === 200))
    findings.push('succeeded, but its target never answered 200');
  for (const { beginMs, dueMs } of seen) if (beginMs < dueMs) findings.push(`${dueMs - beginMs} ms early`);
  seen.slice(1).forEach((later, index) => {
    const earlier = seen[index]!;
    if (later.fence <= earlier.fence)
      findings.push(`fence ${later.fence} was delivered after ${earlier.fence}`);
    if ((earlier.endMs ?? Infinity) > later.beginMs)
      findings.push(`attempts ${earlier.attempt} and ${later.attempt} overlap`);
  });
  const fences = attempts.map(({ fence }) => fence);
  if (fences.some((fence, index) => index > 0 && fence <= fences[index - 1]!))
    findings.push(`fences of the history do not rise: ${fences.join(', ')}`);
  // The attempt of an execution that runs is put on record at its end.
  const missing = TERMINAL.includes(status) ? seen.filter(({ fence }) => !fences.includes(fence)) : [];
  findings.push(...missing.map(({ fence }) => `the attempt with fence ${fence} is not in the history`));
  return findings;
}
