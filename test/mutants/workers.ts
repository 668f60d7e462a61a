import type { Mutant } from './mutant';

const CLAIM_TICKET = 'lambdas/core/attempts/claim-ticket.ts';
const WORKERS = 'test/integration/pipeline/workers.test.ts';
const EDITS = 'test/integration/protocol/work-and-edits.test.ts';
const MOVED = 'test/integration/pipeline/moved-work.test.ts';

/** Faults in what workers rely on. */
export const workerMutants: readonly Mutant[] = [
  {
    name: 'a silent worker counts as a failure',
    file: CLAIM_TICKET,
    find: '    toWorker: true,\n',
    replace: '',
    killedBy: WORKERS,
    test: 'falls silent',
  },
  {
    name: 'a claim does not ask the gates',
    file: CLAIM_TICKET,
    find: 'const passage = await passGates(message, before, deps);',
    replace: 'const passage = {} as Awaited<ReturnType<typeof passGates>>; void before;',
    killedBy: WORKERS,
    test: 'ordering key',
  },
  {
    name: 'a claim leaves its ticket',
    file: CLAIM_TICKET,
    find: '  await deps.work.remove(ticket);\n  return found;',
    replace: '  return found;',
    killedBy: WORKERS,
    test: 'claimed once',
  },
  {
    name: 'a claim hands out work of another queue',
    file: CLAIM_TICKET,
    find: 'if (workerTargetOf(checked.job)?.queue !== queue) {',
    replace: 'if (!workerTargetOf(checked.job)) {',
    killedBy: MOVED,
    test: 'stays behind',
  },
  {
    name: 'work that leaves its queue gets no entry',
    file: 'lambdas/core/attempts/move-waiting.ts',
    find: 'if (awaitsClaim(message, row)) await',
    replace: 'if (!awaitsClaim(message, row)) await',
    killedBy: MOVED,
    test: 'its work moves there',
  },
  {
    name: 'what a user retries is missed when the next occurrence is due',
    file: 'lambdas/core/domain/work.ts',
    find: 'if (attempt > 1 || userRetries !== undefined || ',
    replace: 'if (attempt > 1 || ',
    killedBy: WORKERS,
    test: 'user retries',
  },
  {
    name: 'a worker may claim after startWithin',
    file: CLAIM_TICKET,
    find: 'if (deps.clock.nowMs() > (await startLimitMs(ticket, job, deps))) {',
    replace: 'if (deps.clock.nowMs() > (await startLimitMs(ticket, job, deps)) * 2) {',
    killedBy: WORKERS,
    test: 'a claim checks',
  },
  {
    name: 'a change of startWithin does not hold for work that waits',
    file: 'lambdas/core/ending/end-not-started.ts',
    find: 'startWithinMsNow(message, job) ?? Number.POSITIVE_INFINITY',
    replace: 'startWithinMsNow(message, job) === 0 ? 0 : message.startWithinMs',
    killedBy: EDITS,
    test: 'a longer time',
  },
  {
    name: 'work that its queue has lost ends there for want of a worker',
    file: 'lambdas/core/ending/end-not-started.ts',
    find: 'startWithinMsNow(message, job) ?? Number.POSITIVE_INFINITY',
    replace: 'startWithinMsNow(message, job) ?? message.startWithinMs',
    killedBy: EDITS,
    test: 'stays behind',
  },
  {
    name: 'time in maintenance mode counts',
    file: 'lambdas/core/ending/end-not-started.ts',
    find: 'return sum + Math.max(0,',
    replace: 'return sum + 0 * Math.max(0,',
    killedBy: WORKERS,
    test: 'maintenance mode',
  },
  {
    name: 'a repeated claim forgets what it has claimed',
    file: 'lambdas/api/work/claim-from-queue.ts',
    find: '  await work.putClaim({',
    replace: '  if (work) return;\n  await work.putClaim({',
    killedBy: WORKERS,
    test: 'repeated with its key',
  },
  {
    name: 'two claims of one key with different bodies are one',
    file: 'lambdas/api/work/claim-ids.ts',
    find: 'stamp.keyHash, stamp.bodyHash]',
    replace: 'stamp.keyHash]',
    killedBy: WORKERS,
    test: 'of another body',
  },
];
