import type { Mutant } from './mutant';

const PROTOCOL = 'test/integration/protocol/work-errands.test.ts';
const CALLS = 'test/unit/core/delivery/errands/works.test.ts';
const BATCH_CALLS = 'test/unit/core/delivery/errands/batch.test.ts';
const RULES = 'lambdas/core/domain/errand.ts';
const EVENT = 'lambdas/watcher/take-event.ts';
const BATCH_END = 'lambdas/core/delivery/errands/batch-end.ts';

/** Faults in what jobs of Batch, runs of Glue and builds of CodeBuild rely on. */
export const workMutants: readonly Mutant[] = [
  {
    name: 'a job of Batch is started again under its name',
    file: RULES,
    find: 'batch: {\n    repeatableForMs: 0,',
    replace: 'batch: {\n    repeatableForMs: MINUTE_MS,',
    killedBy: PROTOCOL,
    test: 'batch, which takes no token a start without an answer',
  },
  {
    name: 'a list of Glue runs counts a minute after the start',
    file: RULES,
    find: 'glue: { repeatableForMs: 0, arrivesWithinMs: 5 * MINUTE_MS,',
    replace: 'glue: { repeatableForMs: 0, arrivesWithinMs: MINUTE_MS,',
    killedBy: PROTOCOL,
    test: 'glue, which takes no token “none” counts',
  },
  {
    name: 'the end of a copy is that of the errand',
    file: EVENT,
    find: '  if (isOfCopy(event, execution))',
    replace: "  if (isOfCopy(event, execution) && event.id === '')",
    killedBy: PROTOCOL,
    test: 'the end of a copy',
  },
  {
    name: 'no row leads from the id of a run to its errand',
    file: 'lambdas/executor/start-errand.ts',
    find: '  if (id !== undefined && ERRAND_RULES[row.type].isKnownById)',
    replace: "  if (id === '' && ERRAND_RULES[row.type].isKnownById)",
    killedBy: PROTOCOL,
    test: 'names a run alone',
  },
  {
    name: 'the id that a probe has found is not written down',
    file: 'lambdas/watcher/probe.ts',
    find: '  await keepIdOf(errand, deps);\n',
    replace: '  void keepIdOf;\n',
    killedBy: PROTOCOL,
    test: 'that a probe has found',
  },
  {
    name: 'fatal exit codes are as any other',
    file: 'lambdas/watcher/settle-errand.ts',
    find: '(exitCode !== undefined && codes?.includes(exitCode) === true)',
    replace: '(exitCode === -1 && codes?.includes(exitCode) === true)',
    killedBy: PROTOCOL,
    test: 'after exit code 3',
  },
  {
    name: 'a job of Batch whose host is gone has failed',
    file: BATCH_END,
    find: '  if (HOST_LOST.test(why))',
    replace: "  if (HOST_LOST.test(why) && status === 'x')",
    killedBy: BATCH_CALLS,
    test: 'the loss of its host',
  },
  {
    name: 'a job of Batch is found by a name in other letters',
    file: 'lambdas/core/delivery/errands/batch.ts',
    find: 'found.find(({ jobName }) => jobName === name)',
    replace: 'found.find(({ jobName }) => jobName?.toLowerCase() === name)',
    killedBy: BATCH_CALLS,
    test: 'is found by its whole name',
  },
  {
    name: 'runs of Glue beyond those that are read do not exist',
    file: 'lambdas/core/delivery/errands/find-since.ts',
    find: '    if (found || isEarlier || !next) return found;',
    replace: '    if (found || isEarlier || !next || pages === maxPages - 1) return found;',
    killedBy: CALLS,
    test: 'leave it open',
  },
];
