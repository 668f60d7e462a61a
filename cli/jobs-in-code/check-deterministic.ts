import type { ManifestJob } from '../../client/jobs-in-code/manifest-job';
import { CliError } from '../exit-codes';
import { diff } from '../schedules-as-code/diff';

/**
 * Throws a `CliError` that names each field in which two readings of a module differ, such as one that is
 * made of the time. Every deployment would change such a job.
 */
export function checkDeterministic(
  module: string,
  first: readonly ManifestJob[],
  second: readonly ManifestJob[],
): void {
  const [from, to] = [byId(first), byId(second)];
  const changes = diff(from, to, [...new Set([...Object.keys(from), ...Object.keys(to)])]);
  if (changes.length === 0) return;
  const lines = changes.map((one) => `  ${one.path}: ${shown(one.from)}, then ${shown(one.to)}`);
  throw new CliError(`${module} differs each time that it is read:\n${lines.join('\n')}`);
}

const byId = (jobs: readonly ManifestJob[]): Record<string, object> =>
  Object.fromEntries(jobs.map(({ jobId, ...job }) => [jobId, job]));

const MAX_SHOWN = 80;
const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};
