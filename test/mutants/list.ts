/** What the simulation plays with a fault needs of this folder. */
export { faultySource } from './mutant';
export { MUTANTS } from './mutants';
