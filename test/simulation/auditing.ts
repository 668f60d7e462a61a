/**
 * Modes and profiles in which the auditor repairs something, and why it has to. In all others it repairs
 * nothing. The checker is stricter: it names each repair that the reason here does not explain.
 */
export const REPAIRED_BY_DESIGN: ReadonlyMap<string, string> = new Map([
  ['safety', 'in a tenth of the seeds, clocks are up to an hour off: the auditor may be late by that'],
  ['restored-tables', 'a job that came back alone has no entry, and Executions alone may lack a record'],
]);

/** Profiles that need the auditor, and why. Each second seed of all others is played without it. */
export const NEEDS_AUDITOR: ReadonlyMap<string, string> = new Map([
  ['restored-tables', 'docs/restore.md leaves the entries of jobs that came back to the auditor'],
]);
