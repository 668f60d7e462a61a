import type { JobChanges } from '../../../client/browser';

/** Actions that change a field of each job. */
export type Patching = 'Spread' | 'Tag';

/** Whether a text has a name and a colon: a name alone is a typing mistake, and no wish to remove the tag. */
export const isTag = (typed: string): boolean => /^[^:]+:/.test(typed);

/** `typed`: a jitter, or a tag as `team:billing`. Without a value, the jitter or the tag is removed. */
export function patchOf(action: Patching, typed: string): JobChanges {
  if (action === 'Spread') return { schedule: { jitter: typed || null } };
  const [name = '', ...value] = typed.split(':');
  return { tags: { [name]: value.join(':') || null } };
}
