import type { Mutant } from './mutant';

const DERIVE = 'lambdas/core/domain/workflow/derive.ts';
const DERIVE_TEST = 'test/unit/core/domain/workflow/derive.test.ts';
const PROGRESS = 'lambdas/core/domain/workflow/progress.ts';
const RUN_STORE = 'lambdas/core/store/dynamo/runs/dynamo-run-store.ts';
const RECHECK = 'lambdas/sweeper/recheck-run.ts';
const FAULTS = 'test/integration/workflows/faults.test.ts';
const ORDERS = 'test/integration/workflows/interleavings.test.ts';
const LATER = 'test/integration/workflows/later-tasks.test.ts';
const AWAITS = 'test/integration/workflows/awaits.test.ts';
const HANDS = 'test/integration/workflows/hands.test.ts';
const LIFE = 'test/integration/workflows/life-of-a-run.test.ts';
const CHILDREN = 'test/integration/workflows/children.test.ts';
const CHILD_ORDERS = 'test/integration/workflows/child-orders.test.ts';
const APPROVAL_MESSAGES = 'test/integration/workflows/approval-notifications.test.ts';
const STORE_TEST = 'test/conformance/store-on-memory.test.ts';

/** The safeguards of runs. */
export const runMutants: readonly Mutant[] = [
  {
    name: 'a task is marked before it has ended',
    file: 'lambdas/core/ending/end-execution.ts',
    find: '  const ended = await endWithoutFollowUps(request, deps);\n  if (ended) await deps.followUps.afterOne(ended, request, deps);\n',
    replace:
      '  if (request.run) await deps.followUps.afterOne({ ...request.execution, status: request.end.status }, request, deps);\n  const ended = await endWithoutFollowUps(request, deps);\n  if (ended && !request.run) await deps.followUps.afterOne(ended, request, deps);\n',
    killedBy: FAULTS,
    test: 'die-between-finish-and-mark',
  },
  {
    name: 'an approval that a notification tells of is left to the late recheck of its run',
    file: 'lambdas/core/ending/runs/approvals.ts',
    find: '  if (toTell) await deps.schedule.putEntries(',
    replace: '  if (!job) await deps.schedule.putEntries(',
    killedBy: APPROVAL_MESSAGES,
    test: 'of the next one soon',
  },
  {
    name: 'an approval counts as told before its messages are filed',
    file: 'lambdas/core/ending/runs/approvals.ts',
    find: '  if (!job || !waiting?.toTell) return;\n',
    replace:
      '  if (!job || !waiting?.toTell) return;\n  await deps.waiting.put({ ...waiting, toTell: undefined });\n',
    killedBy: APPROVAL_MESSAGES,
    test: 'wherever the sweeper dies',
  },
  {
    name: 'finally tasks of a deleted job stay open',
    file: PROGRESS,
    find: 'isOverdue || at.jobGone;',
    replace: 'isOverdue;',
    killedBy: FAULTS,
    test: 'It (starts a child|waits for a user)',
  },
  {
    name: 'a recheck sends no task whose message is missing',
    file: RECHECK,
    find: "    if (found === 'unsent') unsent.add(index);",
    replace: "    if (found === 'waiting') unsent.add(index);",
    killedBy: FAULTS,
    test: 'die-between-mark-and-send',
  },
  {
    name: 'a recheck marks no task whose executor died before the mark',
    file: RECHECK,
    find: "    await repeatEnd(row, { by: 'sweeper' }, deps);\n",
    replace: '    void repeatEnd;\n',
    killedBy: FAULTS,
    test: 'die-between-finish-and-mark',
  },
  {
    name: 'a recheck takes over no task',
    file: RECHECK,
    find: '  if (deps.clock.nowMs() > leaseLimitMs(row))',
    replace: '  if (deps.clock.nowMs() < leaseLimitMs(row) - 1e12)',
    killedBy: FAULTS,
    test: 'an executor that dies in a task',
  },
  {
    name: 'a stop does not name what may have been sent before',
    file: PROGRESS,
    find: '    open: openText(mayBeSent({ run, graph }, derivation)),',
    replace: '    open: openText(mayBeSent({ run, graph }, derivation)).slice(0, 0),',
    killedBy: FAULTS,
    test: 'a failure under cancel',
  },
  {
    name: 'what is open at a stop does not stay open',
    file: DERIVE,
    find: "    if (sent.has(index)) return 'ready';",
    replace: "    if (sent.has(-1)) return 'ready';",
    killedBy: DERIVE_TEST,
  },
  {
    name: 'what is stopped counts as not chosen for the tasks after it',
    file: DERIVE,
    find: "    case 'stopped': // else a dependent would turn from blocked to excluded\n      return 'open';",
    replace: "      return 'open';\n    case 'stopped':\n      return 'void';",
    killedBy: ORDERS,
    test: 'any-join-starts',
  },
  {
    name: 'a claimed task does not ask whether its run was stopped',
    file: 'lambdas/core/domain/workflow/task-eligibility.ts',
    find: '  if (isAsked || isStopped(run.run, graph, index)) return',
    replace: '  if (isAsked && isStopped(run.run, graph, index) && index < 0) return',
    killedBy: ORDERS,
    test: 'cancel-meets-claim',
  },
  {
    name: 'a task is called although its run is gone',
    file: 'lambdas/core/attempts/to-deliver.ts',
    find: 'return settleWithoutCall({ execution, job, handle, run: decided.run }, decided.end, deps);',
    replace:
      "return decided.run ?? !isTaskExecution(execution.execId) ? settleWithoutCall({ execution, job, handle, run: decided.run }, decided.end, deps) : 'cancelled';",
    killedBy: ORDERS,
    test: 'ttl-took-a-row',
  },
  {
    name: 'a stop does not ask for the moves seen',
    file: RUN_STORE,
    find: "    UpdateExpression: updateOf({ set: ['#run.#stop = :stop', moved] }),",
    replace:
      "    ...{ ConditionExpression: `${isRunning} AND #run.#moves >= :seenMoves` },\n    UpdateExpression: updateOf({ set: ['#run.#stop = :stop', moved] }),",
    killedBy: STORE_TEST,
    test: 'RunStore',
  },
  {
    name: 'the end of a run does not ask for the moves seen',
    file: 'lambdas/core/store/dynamo/executions/end-executions.ts',
    find: "'#fence = :seenFence AND #run.#moves = :seenMoves'",
    replace: "'#fence = :seenFence AND #run.#moves >= :seenMoves'",
    killedBy: STORE_TEST,
    test: 'RunStore',
  },
  {
    name: 'a skip, a pause or a retry of a task does not ask for the moves seen',
    file: RUN_STORE,
    find: '      remove: remove.map((name) => `run.#${name}`),\n    }),\n',
    replace:
      '      remove: remove.map((name) => `run.#${name}`),\n    }),\n    ...{ ConditionExpression: `${isRunning} AND #run.#moves >= :seenMoves` },\n',
    killedBy: STORE_TEST,
    test: 'RunStore',
  },
  {
    name: 'a skip of a task that was not released writes its row before its mark',
    file: 'lambdas/api/runs/skip-task.ts',
    find: "(state === 'ready' && isUnsent(found))",
    replace: "(state === 'ready' && isUnsent(found) && !run)",
    killedBy: HANDS,
    test: 'was not released',
  },
  {
    name: 'a cancel of a task that was not released writes its row before its mark',
    file: 'lambdas/api/runs/cancel-task.ts',
    find: '  if (isUnsent(found)) return endByMark',
    replace: '  if (isUnsent(found) && !run) return endByMark',
    killedBy: HANDS,
    test: 'was not released',
  },
  {
    name: 'a claimed task does not ask whether its run is paused',
    file: 'lambdas/core/domain/workflow/task-eligibility.ts',
    find: "if (isPausedRun(run.run)) return { call: false, reason: 'paused' };",
    replace: "if (isPausedRun(run.run) && !run.run) return { call: false, reason: 'paused' };",
    killedBy: HANDS,
    test: 'puts back a task',
  },
  {
    name: 'a task is opened again while what follows on it may be at work',
    file: 'lambdas/core/domain/workflow/reopen.ts',
    find: '  if (open !== undefined && !hasEnded)',
    replace: '  if (open !== undefined && !hasEnded && !graph)',
    killedBy: 'test/unit/core/domain/workflow/reopen.test.ts',
    test: 'may be at work',
  },
  {
    name: 'a run starts although its cancellation was requested',
    file: RUN_STORE,
    find: '    ConditionExpression: allOf(condition, isNotCancelled),',
    replace: '    ConditionExpression: isNotCancelled ? condition : condition,',
    killedBy: STORE_TEST,
    test: 'a run does not start',
  },
  {
    name: 'the process that marks a task sends nothing',
    file: 'lambdas/core/ending/runs/perform-action.ts',
    find: 'await queue.send(messages);',
    replace: 'await queue.send(messages.slice(0, 0));',
    killedBy: LIFE,
    test: 'tasks run after what they depend on',
  },
  {
    name: 'a task does not wait for its delay',
    file: 'lambdas/core/domain/workflow/task-times.ts',
    find: '  if (delay === undefined) return Math.max(nowMs, notBeforeMs);',
    replace: '  if (delay !== notBeforeMs as never) return Math.max(nowMs, notBeforeMs);',
    killedBy: LATER,
    test: 'a task with a delay',
  },
  {
    name: 'a task that waits for its time has no entry',
    file: 'lambdas/core/ending/runs/start-later.ts',
    find: '    await deps.schedule.putEntries([await attemptEntry({ ...waiting, startAtMs }, deps)]);\n',
    replace: '    void attemptEntry;\n',
    killedBy: LATER,
    test: 'a task with a delay',
  },
  {
    name: 'a task that waits for another job asks only once',
    file: RECHECK,
    find: "    if (found === 'asks') asking.add(index);",
    replace: "    if (found === 'asks') asking.delete(index);",
    killedBy: AWAITS,
    test: 'the recheck of the run asks',
  },
  {
    name: 'what has not begun is not awaited',
    file: 'lambdas/core/history/awaited-runs.ts',
    find: '    if (!byDue.has(dueAtMs) && !isSkipped)',
    replace: '    if (byDue.has(dueAtMs) && !isSkipped)',
    killedBy: 'test/unit/core/history/awaited-runs.test.ts',
  },
  {
    name: 'the recheck of an entry sends a task of a held run',
    file: 'lambdas/sweeper/recheck-entry.ts',
    find: '      if (isPaused) continue;',
    replace: '      if (isPaused && !job) continue;',
    killedBy: LATER,
    test: 'while its run is held',
  },
  {
    name: 'the end of a job starts runs of workflows above the quota',
    file: 'lambdas/core/ending/start-runs.ts',
    find: "  return workflow && isFull ? 'live-runs' : undefined;",
    replace: "  return workflow && isFull && status !== 'active' ? 'live-runs' : undefined;",
    killedBy: 'test/integration/workflows/live-runs.test.ts',
    test: 'an event is refused',
  },
  {
    name: 'the end of a child marks no task above it',
    file: 'lambdas/core/domain/follow-ups.ts',
    find: "    ...(parent ? (['go-on-with-parent'] as const) : []),",
    replace: "    ...(parent && !status ? (['go-on-with-parent'] as const) : []),",
    killedBy: CHILDREN,
    test: 'a task starts another job',
  },
  {
    name: 'a child is marked for a round in which it has not run again',
    file: 'lambdas/core/domain/workflow/children.ts',
    find: '(child.parent?.round ?? 0) >= roundOf(run.run, index)',
    replace: '(child.parent?.round ?? 0) >= 1 && roundOf(run.run, index) >= 1',
    killedBy: CHILDREN,
    test: 'a retry of what failed runs the same child again',
  },
  {
    name: 'a stop leaves room for the start of a child',
    file: 'lambdas/core/ending/runs/settle-child.ts',
    find: "if (await endUnstartedWithoutFollowUps(row, 'other', deps)) return CANCELLED;",
    replace: 'if (row) return CANCELLED;',
    killedBy: CHILD_ORDERS,
    test: 'parent-cancelled-as-child-starts',
  },
  {
    name: 'a stop does not reach the children of children',
    file: 'lambdas/core/ending/runs/settle-child.ts',
    find: 'return { cancelled: [child] };',
    replace: 'return {};',
    killedBy: CHILDREN,
    test: 'a cancel reaches what the runs below have started',
  },
  {
    name: 'a child may be above itself',
    file: 'lambdas/core/ending/runs/prepare-child.ts',
    find: '  if (ancestors.includes(job.jobId))',
    replace: '  if (ancestors.length > 99 && ancestors.includes(job.jobId))',
    killedBy: CHILD_ORDERS,
    test: 'two-saves-close-a-cycle',
  },
  {
    name: 'a child waits for a slot that the run above it holds',
    file: 'lambdas/core/queue/attempt-entries.ts',
    find: 'parent?.concurrencyKey === undefined ? concurrencyKeyOf(job, passed) : undefined;',
    replace: 'parent === undefined || attempt > 0 ? concurrencyKeyOf(job, passed) : undefined;',
    killedBy: CHILDREN,
    test: 'what the run above holds',
  },
  {
    name: 'a child waits for an ordering key',
    file: 'lambdas/core/ending/runs/prepare-child.ts',
    find: '  if (orderingKey !== null && orderingKey !== parent.orderingKey)',
    replace: "  if (orderingKey === '' && orderingKey !== parent.orderingKey)",
    killedBy: CHILDREN,
    test: 'a child that could wait',
  },
];
