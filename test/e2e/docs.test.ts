import { type RunningSystem, startSystem } from '../support/local-run';
import { describeCodeExamples } from './docs/code-examples';
import { beginLongExample, describeExamples } from './docs/examples';
import { describeGo } from './docs/go';
import { describePython } from './docs/python';
import { describeReadme } from './docs/readme';
import { describeTutorial } from './docs/tutorial';

/** One local run for all: each has users of its own. */
let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral');
});
afterAll(() => system?.end(), 30_000);

const testLongExample = beginLongExample(() => system);
describeExamples(() => system);
describeCodeExamples(() => system);
const testGoDrains = describeGo(() => system);
const testPythonDrains = describePython(() => system);
describeReadme(() => system);
describeTutorial(() => system);
testGoDrains();
testPythonDrains();
testLongExample();
