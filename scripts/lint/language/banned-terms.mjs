/**
 * Words that this project does not use, and what it says instead.
 *
 * A term: `{ id, say, prose?, names?, exact?, paths?, only? }`
 *   prose   patterns for comments, docs and strings with spaces. Each matches whole words in any case. A
 *           space in it matches any white space.
 *   names   patterns for the words of a name in lower case: `lookAtEntry` is read as `look at entry`. They
 *           apply to identifiers, inline code, strings without spaces and file names, and match whole words.
 *   exact   names as they are written, where the words alone are ordinary.
 *   paths   only files whose path matches.
 *   only    only these places: `comment`, `doc`, `string`, `name`, `word`, `code`, `path`.
 */

import { LOCKS_AND_LEASES, ORDERING, OUTCOMES } from './terms/execution.mjs';
import { PRONOUNS } from './terms/pronouns.mjs';
import { ENTRIES_AND_SHARDS, HISTORY, RECHECKS } from './terms/scheduling.mjs';
import { API_AND_PLATFORM, TOOLS } from './terms/surroundings.mjs';

export const BANNED_TERMS = [
  ...RECHECKS,
  ...HISTORY,
  ...ORDERING,
  ...LOCKS_AND_LEASES,
  ...OUTCOMES,
  ...ENTRIES_AND_SHARDS,
  ...API_AND_PLATFORM,
  ...TOOLS,
  ...PRONOUNS,
];
