import { type RunningSystem, startSystem } from '../support/local-run';
import { describeSignIn } from './people/sign-in';
import { describeTokenAttacks } from './people/token-attacks';
import { describePipeline } from './people/pipeline';
import { describeFuzz } from './people/fuzz';

/** One local run for all of them: each has users of its own. */
let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem('--port', '0', '--ephemeral');
});
afterAll(() => system?.end(), 30_000);

describeSignIn(() => system);
describeTokenAttacks(() => system);
describePipeline(() => system);
describeFuzz(() => system);
