/*
 * Properties draw the same cases in every run, so that a change fails only by its own faults. Deep runs draw
 * new ones; a failure prints its seed and path.
 */
const SEED = 20_261_122;

if (!process.env.QUARTERJACK_DEEP) {
  jest.mock('fast-check', () => {
    const fastCheck = jest.requireActual('fast-check');
    fastCheck.configureGlobal({ seed: SEED });
    return fastCheck;
  });
}
