import { CliError, ExitCode } from '../exit-codes';
import { isObject } from '../is-object';
import type { FieldChange } from '../schedules-as-code/diff';
import type { Plan } from '../schedules-as-code/plan';
import { plural } from '../terminal/plural';
import { SOURCE_TAG } from './jobs-of-manifest';

/** So few jobs may go without a word. */
const FEW_REMOVALS = 3;

/** The tag that says which resource of a stack keeps a job: `<stack>/<logical id>`. */
const RESOURCE_TAG = 'quarterjack/resource';

/**
 * Throws a `CliError` if the plan changes a job of another program, or one that a stack keeps. `adopts`: a
 * job of no program becomes one of this program, and one of a stack leaves it. No job of a stack is removed.
 */
export function checkOwner(
  { changed, removed }: Pick<Plan, 'changed' | 'removed'>,
  source: string,
  adopts: boolean,
): void {
  const ofChanged = changed.flatMap(({ job: { jobId }, changes }) =>
    ownerFault(jobId, { source, adopts, former: (tag) => formerTag(changes, tag) }),
  );
  const ofRemoved = removed.flatMap(({ jobId, definition: { tags } }) => {
    const stack = stackOf(isObject(tags) ? tags[RESOURCE_TAG] : undefined);
    return stack === undefined ? [] : `${jobId} is a job of the stack ${stack}, which alone removes it`;
  });
  const faults = [...ofChanged, ...ofRemoved];
  if (faults.length > 0) throw new CliError(faults.join('\n'), ExitCode.conflict);
}

/** `former`: the tag that the job had, if the change takes it away or makes it another one. */
function ownerFault(
  jobId: string,
  {
    source,
    adopts,
    former,
  }: { source: string; adopts: boolean; former: (tag: string) => { value: unknown } | undefined },
): string[] {
  const owner = former(SOURCE_TAG);
  if (typeof owner?.value === 'string') return [`${jobId} is a job of ${owner.value}, and not of ${source}`];
  if (adopts) return [];
  const stack = stackOf(former(RESOURCE_TAG)?.value);
  if (stack !== undefined)
    return [`${jobId} is a job of the stack ${stack}; --adopt takes it from there, so change the stack next`];
  return owner ? [`${jobId} has no source; --adopt makes it a job of ${source}`] : [];
}

const stackOf = (resource: unknown): string | undefined =>
  typeof resource === 'string' ? resource.split('/')[0] : undefined;

function formerTag(changes: readonly FieldChange[], tag: string): { value: unknown } | undefined {
  for (const { path, from } of changes) {
    if (path === `tags.${tag}`) return { value: from };
    if (path === 'tags') return { value: isObject(from) ? from[tag] : undefined };
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
