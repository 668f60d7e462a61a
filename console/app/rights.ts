import type { Scope } from '../api/project';

/** What a caller that cannot change jobs can do here; undefined: it can change them. */
export function rightsText(scopes: readonly Scope[]): string | undefined {
  if (scopes.includes('jobs:write')) return undefined;
  const actions = [
    scopes.includes('runs:operate') && 'run, pause, retry and cancel',
    scopes.includes('runs:approve') && 'approve or reject tasks',
  ].filter(Boolean);
  const [can, changes] =
    actions.length > 0 ? [`, and ${actions.join(', and ')}`, 'Other changes'] : ['', 'Changes'];
  return `You can read here${can}. ${changes} need the scope jobs:write.`;
}
