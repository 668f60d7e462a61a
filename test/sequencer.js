const { default: Sequencer } = require('@jest/test-sequencer');

/** Tests of whole runs, which mostly wait: for a lease, a browser, a process. The others compute. */
const WAITS = /\/test\/(?:e2e|sdk|integration\/(?:cli|local|package|tools))\//;
/**
 * Of six workers, four take tests that wait and two take tests that compute, as long as there are both. So
 * two processors have work from the first minute on, and what waits longest is not left for the end.
 */
const LANES = [
  { workers: 4, isOf: ({ path }) => WAITS.test(path) },
  { workers: 2, isOf: ({ path }) => !WAITS.test(path) },
];

/** Seconds of the files that take longest. They start first: one that started late would run alone. */
const SECONDS = new Map(
  Object.entries({
    'e2e/console/console': 380,
    'e2e/docs': 225,
    'e2e/jobs': 100,
    'e2e/site': 85,
    'e2e/kills': 85,
    'e2e/recorded-run': 120,
    'e2e/raise-shards': 60,
    'e2e/identity/needed': 65,
    'e2e/access': 90,
    'e2e/tools': 55,
    'integration/package/package': 145,
    'integration/local/errands': 75,
    'integration/cli/dev': 50,
    'integration/cli/define': 40,
    'integration/local/errand-access': 40,
    'integration/tools/go-sdk': 40,
    'integration/tools/sdk-python': 30,
    'integration/cli/work': 25,
    'simulation/seeds-1': 250,
    'simulation/seeds-2': 130,
    'simulation/safeguards': 45,
    'simulation/checker': 55,
    'simulation/restored-checker': 20,
    'integration/pipeline/cost': 75,
    'conformance/schedule/work': 45,
    'conformance/store-on-emulators': 30,
    'integration/pipeline/fairness': 45,
  }).map(([name, seconds]) => [`/test/${name}.test.ts`, seconds]),
);
/** Seconds of any other file, by its project. */
const OTHER_SECONDS = {
  e2e: 20,
  sdk: 60,
  simulation: 3,
  integration: 5,
  conformance: 5,
  template: 4,
  unit: 1,
};

const secondsOf = ({ path, context }) => {
  const [, name] = /(\/test\/[^]*)$/.exec(path) ?? [];
  return SECONDS.get(name) ?? OTHER_SECONDS[context.config.displayName.name];
};

module.exports = class extends Sequencer {
  /** The longest first in each lane. Those of equal length have Jest's own order. */
  sort(tests) {
    const longestFirst = super.sort(tests).sort((a, b) => secondsOf(b) - secondsOf(a));
    const workers = LANES.flatMap(({ workers: count, isOf }) => {
      const left = longestFirst.filter(isOf);
      return Array.from({ length: count }, () => ({ left, untilSec: 0 }));
    });
    const order = [];
    for (;;) {
      const [next] = workers
        .filter(({ left }) => left.length > 0)
        .sort((one, other) => one.untilSec - other.untilSec);
      if (!next) return order;
      const test = next.left.shift();
      next.untilSec += secondsOf(test);
      order.push(test);
    }
  }
};
