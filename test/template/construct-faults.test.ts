import { App, Stack } from 'aws-cdk-lib';

import { Quarterjack, type QuarterjackProps } from '../../lib';
import { QUICK, stubBundles } from './synth';

const stack = new Stack(new App(QUICK), 'Shop');

let made = 0;
/** As a program makes it that no compiler has checked. */
const make = (props: object): Quarterjack =>
  new Quarterjack(stack, `Jobs${made++}`, { bundlesDir: stubBundles(), ...props } as QuarterjackProps);

test.each<[string, object, string | RegExp]>([
  ['a property', { shardcount: 3 }, 'shardcount = 3: is not a known field; did you mean "shardCount"?'],
  ['a quota', { quotas: { job: 3 } }, 'quotas.job = 3: is not a known field; did you mean "jobs"?'],
  ['a list of quotas', { quotas: [5] }, 'quotas = [5]: must be an object, not a list'],
  ['a number for quotas', { quotas: 5 }, 'quotas = 5: must be an object, not a number'],
  ['a text for pools', { pools: 'gpu' }, 'pools = "gpu": must be an object, not a text'],
  [
    'a pool',
    { pools: { gpu: { memoryMB: 512 } } },
    'pools.gpu.memoryMB = 512: is not a known field; did you mean "memoryMb"?',
  ],
  ['a pool that is null', { pools: { default: null } }, 'pools.default = null: must be an object, not null'],
])('%s that a deployment cannot have is refused by its name', (_, props, message) => {
  expect(() => make(props)).toThrow(message);
});
