import type { Mutant } from './mutant';

const EXPORT = 'lambdas/follower/export/follow-export.ts';
const LINE = 'lambdas/follower/export/export-line.ts';
const EXPORTS = 'test/unit/follower/follow-export.test.ts';
const ARCHIVES = 'test/unit/core/platform/archives.test.ts';

/** Faults in the export of what has ended. */
export const exportMutants: readonly Mutant[] = [
  {
    name: 'an object that was not written is passed over',
    file: 'lambdas/follower/write-each.ts',
    find: '      failed = Math.min(failed ?? item.first, item.first);\n',
    replace: '',
    killedBy: EXPORTS,
    test: 'brings the changes again',
  },
  {
    name: 'a batch that is cut shorter takes the name of a longer one',
    file: EXPORT,
    find: '`${sequence}-${name.slice(-NAME_LENGTH)}-${count}`',
    replace: '`${sequence}-${name.slice(-NAME_LENGTH)}-${Math.min(count, 1)}`',
    killedBy: EXPORTS,
    test: 'replaces none with more lines',
  },
  {
    name: 'lines are in the hour in which they were due',
    file: EXPORT,
    find: 'const text = instantText(endedAtMs(ended));',
    replace: 'const text = instantText(ended.dueAtMs);',
    killedBy: EXPORTS,
    test: 'each hour of an end',
  },
  {
    name: 'a retry by a user has the key of the end before',
    file: LINE,
    find: 'keyOf([project, jobId, execId, userRetries, fence])',
    replace: 'keyOf([project, jobId, execId])',
    killedBy: EXPORTS,
    test: 'every column',
  },
  {
    name: 'a skipped range that grows keeps its version',
    file: LINE,
    find: 'version: skipped?.count ?? 0,',
    replace: 'version: 0,',
    killedBy: EXPORTS,
    test: 'a higher version',
  },
  {
    name: 'payloads are exported without being asked for',
    file: LINE,
    find: "include.includes('payload') && {",
    replace: "(include.includes('payload') || ended.payload) && {",
    killedBy: EXPORTS,
    test: 'every column',
  },
  {
    name: 'a refusal of S3 counts as written',
    file: 'lambdas/core/platform/s3-archive.ts',
    find: '      if (answer.ok) return;\n',
    replace: '      if (answer.ok || answer.text) return;\n',
    killedBy: ARCHIVES,
    test: 'none of success',
  },
];
