import type { Mutant } from './mutant';

const ROUNDS = 'cli/jobs-in-code/dev/rounds.ts';
const ROUNDS_TEST = 'test/unit/cli/jobs-in-code/dev/rounds.test.ts';

/** Faults in what a program relies on that is swapped while its jobs run. */
export const devMutants: readonly Mutant[] = [
  {
    name: 'jobs that the API refuses replace a program',
    file: ROUNDS,
    find: 'const register = await plan(loaded); const former = this.current;',
    replace: 'const former = this.current; relay.moveTo(loaded.port); const register = await plan(loaded);',
    killedBy: ROUNDS_TEST,
    test: 'refused',
  },
  {
    name: 'a program that is swapped runs on',
    file: ROUNDS,
    find: 'if (former) this.finish(former);',
    replace: '',
    killedBy: ROUNDS_TEST,
    test: 'its former ends',
  },
  {
    name: 'a program that has ended still gets the deliveries',
    file: ROUNDS,
    find: 'this.deps.relay.moveTo(undefined);',
    replace: '',
    killedBy: ROUNDS_TEST,
    test: 'gets no deliveries',
  },
  {
    name: 'the terminal says where a program in dev finds the API',
    file: 'cli/jobs-in-code/dev/environment.ts',
    find: '...own, QUARTERJACK_URL: url,',
    replace: 'QUARTERJACK_URL: url, ...own,',
    killedBy: 'test/unit/cli/jobs-in-code/dev/environment.test.ts',
  },
];
