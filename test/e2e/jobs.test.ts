import { type RunningSystem, startSystem } from '../support/local-run';
import { describeMainJob } from './jobs/main-job';
import { describeOrdering } from './jobs/ordering';
import { APP, describeLongJob } from './jobs/long-job';

/** One local run for all of them: each makes jobs of its own. */
let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral', '--private-host', APP);
});
afterAll(() => system?.end(), 30_000);

describeMainJob(() => system);
describeOrdering(() => system);
describeLongJob(() => system);
