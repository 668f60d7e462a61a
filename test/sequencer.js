const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Projects that mostly wait run first, so that tests that compute fill the gaps. Small files run last, so
 * that the workers finish together.
 */
const FIRST = ['e2e', 'simulation', 'integration'];

const rankOf = ({ context }) => {
  const rank = FIRST.indexOf(context.config.displayName.name);
  return rank < 0 ? FIRST.length : rank;
};

/** Within a project, the order is Jest's own: failed files, then the slowest. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
