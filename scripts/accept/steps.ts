import { asDesigned } from './as-designed/as-designed';
import { change } from './change/change';
import type { Step } from './check';
import { delivery } from './delivery/delivery';
import { frontDoor } from './front-door/front-door';
import { history } from './history/history';
import { memory } from './memory/memory';
import { preflight } from './preflight/preflight';
import { substrate } from './substrate/substrate';
import { watching } from './watching/watching';

/** All steps, in the order in which they are run. */
export const STEPS: readonly Step[] = [
  preflight,
  asDesigned,
  frontDoor,
  substrate,
  delivery,
  history,
  watching,
  change,
  memory,
];
