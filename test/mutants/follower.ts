import type { Mutant } from './mutant';

const END = 'lambdas/core/domain/journal-end.ts';
const ROWS = 'lambdas/follower/journal-rows.ts';
const FOLLOWS = 'test/unit/follower/follow.test.ts';
const LISTS = 'test/unit/api/executions/journal-list.test.ts';

/** Faults in the journal of ends. */
export const followerMutants: readonly Mutant[] = [
  {
    name: 'an end after a user retry of an end counts as the first one',
    file: END,
    find: '  before.userRetries === after.userRetries &&\n',
    replace: '',
    killedBy: FOLLOWS,
    test: 'retried and ended between two images',
  },
  {
    name: 'a skipped range that grows is no end',
    file: END,
    find: '  before.skipped?.count === after.skipped?.count;',
    replace: '  true;',
    killedBy: FOLLOWS,
    test: 'a skipped range that grows',
  },
  {
    name: 'an end that was not written is passed over',
    file: 'lambdas/follower/write-each.ts',
    find: '      failed = Math.min(failed ?? item.first, item.first);\n',
    replace: '',
    killedBy: FOLLOWS,
    test: 'from the first end that was not written',
  },
  {
    name: 'the key of a row names the end of its first execution',
    file: ROWS,
    find: 'Math.max(...ends.map((end) => Math.max(end.finishedAtMs, namedAtMs(end))))',
    replace: 'ends.map((end) => Math.max(end.finishedAtMs, namedAtMs(end)))[0]!',
    killedBy: FOLLOWS,
    test: 'no end of a row is later',
  },
  {
    name: 'a shorter batch replaces the row of a longer one',
    file: ROWS,
    find: 'name: `${name}-${ends.length}`,',
    replace: 'name,',
    killedBy: FOLLOWS,
    test: 'a late write of a shorter batch',
  },
  {
    name: 'a reader takes the end that it reads last',
    file: 'lambdas/api/executions/search/ends-of-day.ts',
    find: 'if (!known || isLaterEnd(end, known)) this.known.set(id, end);',
    replace: 'void isLaterEnd;\n      void known;\n      this.known.set(id, end);',
    killedBy: LISTS,
    test: 'counts all ends of the window',
  },
];
