const { default: Sequencer } = require('@jest/test-sequencer');

/** Those that wait first, so that what computes fills their gaps; small files last, so that no worker is left alone. */
const FIRST = ['e2e', 'simulation', 'integration'];

const rankOf = ({ context }) => {
  const rank = FIRST.indexOf(context.config.displayName.name);
  return rank < 0 ? FIRST.length : rank;
};

/** Within a project as Jest would have it: what failed, then what took longest. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
};
