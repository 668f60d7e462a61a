import { CliError, ExitCode } from '../exit-codes';
import { isObject } from '../is-object';
import type { FieldChange } from '../schedules-as-code/diff';
import type { Plan } from '../schedules-as-code/plan';
import { plural } from '../terminal/plural';
import { SOURCE_TAG } from './jobs-of-manifest';

/** So few jobs may go without a word. */
const FEW_REMOVALS = 3;

/**
 * Throws a `CliError` if the plan changes a job of another program. `adopts`: a job of none becomes one of
 * this program.
 */
export function checkOwner({ changed }: Pick<Plan, 'changed'>, source: string, adopts: boolean): void {
  const others = changed.flatMap(({ job: { jobId }, changes }) => {
    const owner = formerOwner(changes);
    return owner === undefined || (owner.name === undefined && adopts) ? [] : [{ jobId, owner: owner.name }];
  });
  if (others.length === 0) return;
  const lines = others.map(({ jobId, owner }) =>
    owner === undefined
      ? `${jobId} has no source; --adopt makes it a job of ${source}`
      : `${jobId} is a job of ${owner}, and not of ${source}`,
  );
  throw new CliError(lines.join('\n'), ExitCode.conflict);
}

/** Whose the job was, if the change gives it another owner. */
function formerOwner(changes: readonly FieldChange[]): { name: string | undefined } | undefined {
  for (const { path, from } of changes) {
    if (path === `tags.${SOURCE_TAG}`) return { name: typeof from === 'string' ? from : undefined };
    if (path === 'tags')
      return { name: isObject(from) ? (from[SOURCE_TAG] as string | undefined) : undefined };
  }
  return undefined;
}

/**
 * Throws a `CliError` if much would be removed: all jobs, or more than half of them and more than three.
 * A module that has lost an import looks like that. `allowed` is the number that a user has agreed to.
 */
export function checkRemovals(
  { changed, removed, unchanged }: Pick<Plan, 'changed' | 'removed' | 'unchanged'>,
  defined: number,
  allowed: number,
): void {
  const count = removed.length;
  const owned = changed.length + unchanged.length + count;
  const isMuch = count > 0 && (defined === 0 || (count > FEW_REMOVALS && count > owned / 2));
  if (!isMuch || count <= allowed) return;
  throw new CliError(
    `this would remove ${plural(count, 'job')} of ${owned}: if that is meant, add --allow-removals ${count}`,
  );
}
