import { type RunningSystem, startSystem } from '../support/local-run';
import { describeObserve } from './deployment/observe';
import { describeAdmin } from './deployment/admin';

/** One local run for both: the first counts its executions, and the second stops it. */
let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral');
});
afterAll(() => system?.end(), 30_000);

describeObserve(() => system);
describeAdmin(() => system);
