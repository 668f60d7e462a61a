/* What a test file synthesizes goes with it. */
const { removeSynthesized } = require('./template/synth');

afterAll(removeSynthesized);
