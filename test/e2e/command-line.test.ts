import { type RunningSystem, startSystem } from '../support/local-run';
import { describeDoctor } from './command-line/doctor';
import { describeMcp } from './command-line/mcp';

/** One local run for all of them. */
let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral');
});
afterAll(() => system?.end(), 30_000);

describeDoctor(() => system);
describeMcp(() => system);
