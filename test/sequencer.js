const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Projects that mostly wait run first, so that tests that compute fill the gaps. Small files run last, so
 * that the workers finish together.
 */
const FIRST = ['e2e', 'sdk', 'simulation', 'integration'];

/** The files that take longest. One that started late would run alone at the end of its project. */
const LONGEST = ['console/console', 'kills', 'raise-shards', 'recorded-run', 'jobs', 'identity/needed'].map(
  (name) => `/test/e2e/${name}.test.ts`,
);

const positionIn = (list, matches) => {
  const index = list.findIndex(matches);
  return index < 0 ? list.length : index;
};
const rankOf = ({ context }) => positionIn(FIRST, (name) => name === context.config.displayName.name);
const lengthOf = ({ path }) => positionIn(LONGEST, (end) => path.endsWith(end));

/** Within a project, the order is that of `LONGEST`, then Jest's own: failed files, then the slowest. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b) || lengthOf(a) - lengthOf(b));
  }
};
