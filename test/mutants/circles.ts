import type { Mutant } from './mutant';

const CIRCLES = 'test/integration/protocol/circles-of-waits.test.ts';
const AFTER_EDITS = 'test/integration/protocol/circles-after-an-edit.test.ts';
const OVERTAKEN = 'test/integration/pipeline/overtaken.test.ts';
const ATTEMPT_ENTRIES = 'lambdas/core/queue/attempt-entries.ts';
const WAKE_EXECUTION = 'lambdas/core/gates/wake-execution.ts';

/** Faults by which executions wait for each other. */
export const circleMutants: readonly Mutant[] = [
  {
    name: 'jobs are saved whose executions could wait for each other',
    file: 'lambdas/api/jobs/check-references.ts',
    find: '  if (found) throw at(job, found.path[1]!, textOfCircle(found));',
    replace: '  void [found, textOfCircle];',
    killedBy: CIRCLES,
    test: 'is refused when it is saved',
  },
  {
    name: 'jobs are saved whose runs need each other',
    file: 'lambdas/api/jobs/check-references.ts',
    find: '    if (circle) throw at(job, circle[1]!, textOfNeeds(circle));',
    replace: '    if (circle && textOfNeeds(circle) === undefined) return;',
    killedBy: CIRCLES,
    test: 'two that await each other are refused',
  },
  {
    name: 'a child starts that could wait for the run above it',
    file: 'lambdas/core/ending/runs/prepare-child.ts',
    find: '?? (await faultOfWaits(task, job, deps));',
    replace: '?? ((await faultOfWaits(task, job, deps)) && undefined);',
    killedBy: CIRCLES,
    test: 'is refused when it is started',
  },
  {
    name: 'a run or a date waits for a key that its job has got since',
    file: ATTEMPT_ENTRIES,
    find: 'const isBare = isPlanned(trigger) && userRetries === undefined;',
    replace: 'const isBare = isPlanned(trigger) || userRetries === undefined;',
    killedBy: AFTER_EDITS,
    test: 'it goes on',
  },
  {
    name: 'a date begins without the ordering key of its job',
    file: 'lambdas/core/ending/runs/start-child.ts',
    find: '    ...keyOfChild(task, input.job),\n',
    replace: '',
    killedBy: CIRCLES,
    test: 'a date that waited for the ordering key',
  },
  {
    name: 'a holder of a slot asks for another slot that its job has got since',
    file: WAKE_EXECUTION,
    find: 'concurrencyKey: hasSlot ? ofJob : holder.slotOf };',
    replace: 'concurrencyKey: hasSlot ? ofJob : holder.slotOf && ofJob };',
    killedBy: AFTER_EDITS,
    test: 'exchange their concurrency keys',
  },
  {
    name: 'a holder of a lock asks for a slot that its job has got since',
    file: WAKE_EXECUTION,
    find: 'const hasSlot = holder.slotOf === undefined && (await hasPassedSlots(holder, ofJob, deps));',
    replace: 'const hasSlot = holder.slotOf === undefined;\n  void hasPassedSlots;',
    killedBy: AFTER_EDITS,
    test: 'waits for a child of the job',
  },
  {
    name: 'a ticket keeps a slot for what waits at its lock',
    file: 'lambdas/core/gates/slots.ts',
    find: '    } else if (!(await isLockedOut(ticket.message, deps))) ahead++;\n',
    replace: '    } else ahead++;\n',
    killedBy: AFTER_EDITS,
    test: 'a child takes a slot before',
  },
  {
    name: 'a slot is kept for what a run has overtaken, which may wait for a child',
    file: 'lambdas/core/gates/slots.ts',
    find: ' || isRun(row) ||',
    replace: ' || (isRun(row) && false) ||',
    killedBy: AFTER_EDITS,
    test: 'that the run above has overtaken',
  },
  {
    name: 'what a later execution of its job has overtaken keeps no turn',
    file: 'lambdas/core/gates/slots.ts',
    find: ' || isRun(row) ||',
    replace: " || (isRun(row) || overlap === 'queue') ||",
    killedBy: OVERTAKEN,
    test: 'gets slot and lock next',
  },
];
