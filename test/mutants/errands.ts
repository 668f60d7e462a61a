import type { Mutant } from './mutant';

const START = 'lambdas/executor/start-errand.ts';
const PROBE = 'lambdas/watcher/probe.ts';
const RECHECK = 'lambdas/sweeper/recheck-errand.ts';
const PROTOCOL = 'test/integration/protocol/errands.test.ts';
const ECS = 'test/integration/protocol/ecs-errands.test.ts';
const IDS = 'test/integration/protocol/errand-ids.test.ts';

/** Faults in how errands start, and are asked for. */
export const errandMutants: readonly Mutant[] = [
  {
    name: 'an errand starts where its place in the list of targets has succeeded',
    file: 'lambdas/executor/start-errand.ts',
    find: 'if (asksForNone || openTargets(execution, job).length === 0) {',
    replace: 'if (asksForNone || openTargets(execution, job).length < 0) {',
    killedBy: 'test/integration/protocol/work-and-edits.test.ts',
    test: 'an errand that takes the place',
  },
  {
    name: 'the name of an errand has the number of its attempt',
    file: 'lambdas/core/delivery/errands/errand-name.ts',
    find: '-${errandsOf(execution)}`;',
    replace: '-${(execution as { attempt?: number }).attempt}`;',
    killedBy: PROTOCOL,
    test: 'taken over',
  },
  {
    name: 'an errand with another input is started',
    file: START,
    find: '  row.inputHash === hashOf(start);',
    replace: '  (row.inputHash === hashOf(start) || true);',
    killedBy: PROTOCOL,
    test: 'another input',
  },
  {
    name: 'a start without an answer counts as refused',
    file: START,
    find: "  if (started.how === 'refused')",
    replace:
      "  if (started.how === 'unknown') return settle(starting, { outcome: 'retriable' }, deps, 'ended');\n  if (started.how === 'refused')",
    killedBy: PROTOCOL,
    test: 'no answer',
  },
  {
    name: 'a refusal ends an errand that an earlier start may have begun',
    file: START,
    find: "const mayRun = answer.how === 'refused' && (tries > 0 || !isNew);",
    replace: 'const mayRun = false as boolean; void isNew;',
    killedBy: PROTOCOL,
    test: 'refused after',
  },
  {
    name: 'the end is written when the errand is asked to stop',
    file: PROBE,
    find: '  if (!unresolved && id === known.id && errand.trouble === before) return;\n',
    replace:
      "  if (endAwaitedSinceMs(execution, nowMs) !== undefined) return settleErrand(execution, delegatedTo, { how: 'stopped' }, deps);\n  if (!unresolved && id === known.id && errand.trouble === before) return;\n",
    killedBy: PROTOCOL,
    test: 'seen stopped',
  },
  {
    name: 'a missing errand is lost at once',
    file: PROBE,
    find: '  if (!hasArrived(execution, nowMs)) return;\n',
    replace: '  void hasArrived;\n',
    killedBy: PROTOCOL,
    test: 'may still arrive',
  },
  {
    name: 'the sweeper takes over the lease of an errand',
    file: 'lambdas/sweeper/recheck-entry.ts',
    find: '  if (isOnErrand(execution)) {',
    replace: '  if (isOnErrand(execution) && deps.clock.nowMs() <= leaseLimitMs(execution)) {',
    killedBy: PROTOCOL,
    test: 'its time is over',
  },
  {
    name: 'a probe that is put off files no next one',
    file: RECHECK,
    find: '  await deps.schedule.putEntries([await limitEntry(execution, nextMs, deps)]);\n',
    replace:
      '  if (presses || deps.probes.mayProbe(errand, nowMs))\n    await deps.schedule.putEntries([await limitEntry(execution, nextMs, deps)]);\n',
    killedBy: PROTOCOL,
    test: 'put off',
  },
  {
    name: 'the time of an errand counts from the claim',
    file: START,
    find: 'endsAtMs: errand.firstStartAtMs + timeoutMs',
    replace: 'endsAtMs: deps.clock.nowMs() + timeoutMs',
    killedBy: PROTOCOL,
    test: 'counts from its first start',
  },
  {
    name: 'an execution with an open errand ends at once',
    file: 'lambdas/core/ending/leave-end.ts',
    find: '  if (!row) return false;',
    replace: '  if (row || !row) return false;',
    killedBy: PROTOCOL,
    test: 'cancelled while it waits',
  },
  {
    name: 'each process of the watcher asks for each machine as if it were alone',
    file: 'lambdas/core/domain/probe-budget.ts',
    find: "${REGION.exec(resource)?.[1] ?? ''}`;",
    replace: "${REGION.exec(resource)?.[1] ?? ''} ${resource}`;",
    killedBy: 'test/unit/core/domain/probe-budget.test.ts',
    test: 'state machines of a region share',
  },
  {
    name: 'what its service calls an errand is lost with its start',
    file: START,
    find: 'const more = isKnown ? { ...(id !== undefined && { id }) } :',
    replace: 'const more = isKnown ? {} :',
    killedBy: IDS,
    test: 'asks by it',
  },
  {
    name: 'a probe takes half of what it costs',
    file: 'lambdas/core/domain/probe-budget.ts',
    find: 'bucket.tokens -= cost;',
    replace: 'bucket.tokens -= 0.5 * cost;',
    killedBy: 'test/unit/core/domain/probe-budget.test.ts',
    test: 'ten probes at once',
  },
  {
    name: 'the entry of the first probe follows the delegation',
    file: START,
    find: `    await deps.schedule.putEntries([await limitEntry(execution, probeAtMs, deps)]);
    return deps.executions.delegateLease(handle.lease, delegatedTo, deps.clock.nowMs(), []);`,
    replace: `    const done = await deps.executions.delegateLease(handle.lease, delegatedTo, deps.clock.nowMs(), []);
    await deps.schedule.putEntries([await limitEntry(execution, probeAtMs, deps)]);
    return done;`,
    killedBy: 'test/integration/protocol/errand-writes.test.ts',
    test: 'before the delegation',
  },
  {
    name: 'one question is about tasks of two clusters',
    file: 'lambdas/watcher/probe-all.ts',
    find: '[type, jobRefOf(jobKey).userId, runsIn ?? resource]',
    replace: '[type, jobRefOf(jobKey).userId, (runsIn ?? resource).slice(0, 3)]',
    killedBy: 'test/integration/protocol/errand-questions.test.ts',
    test: 'about all tasks of a cluster',
  },
  {
    name: 'what has been seen to end keeps its name',
    file: 'lambdas/core/attempts/settle.ts',
    find: "errand === 'ended' ? { errands: errandsOf(execution) + 1 } : {};",
    replace: "errand === 'ended' ? { errands: errandsOf(execution) } : {};",
    killedBy: PROTOCOL,
    test: 'the next one has another name',
  },
  {
    name: 'a cancellation aborts the start',
    file: START,
    find: '        clock,\n      );\n    } catch',
    replace: '        clock,\n        { signal: handle.signal },\n      );\n    } catch',
    killedBy: 'test/integration/protocol/errand-attacks.test.ts',
    test: 'a cancellation during the start',
  },
  {
    name: 'a wish to end is not looked for',
    file: 'lambdas/core/domain/probes.ts',
    find: '    ...(cancelRequested ? [cancelRequested.atMs] : []),',
    replace: '    ...(cancelRequested && claimedAtMs < 0 ? [cancelRequested.atMs] : []),',
    killedBy: 'test/integration/protocol/errand-attacks.test.ts',
    test: 'a cancellation during the start',
  },
  {
    name: 'an errand starts before its name is written down',
    file: START,
    find: '  const { row, isNew } = await writeDown(starting, start, deps);\n',
    replace:
      '  if (!starting.handle.lostBy()) await deps.errandStarts.start(start, project, AbortSignal.timeout(START_WITHIN_MS));\n  const { row, isNew } = await writeDown(starting, start, deps);\n',
    killedBy: PROTOCOL,
    test: 'written down before',
  },
  {
    name: 'a start is repeated when its service may have forgotten the name',
    file: START,
    find: '  clock.nowMs() < row.firstStartAtMs + ERRAND_RULES[row.type].repeatableForMs &&\n',
    replace: '  clock.nowMs() + ERRAND_RULES[row.type].repeatableForMs > 0 &&\n',
    killedBy: ECS,
    test: 'starts nothing',
  },
  {
    name: 'what its service says of trouble is a sign of life',
    file: PROBE,
    find: 'leaseOf(execution), to, heartbeatAtMs, []',
    replace: 'leaseOf(execution), to, heartbeatAtMs * 0 + deps.clock.nowMs(), []',
    killedBy: 'test/integration/protocol/errand-trouble.test.ts',
    test: 'whatever its service answers',
  },
  {
    name: 'trouble is shown after it is over',
    file: PROBE,
    find: ' && errand.trouble === before) return;',
    replace: ' && (before || !errand.trouble)) return;',
    killedBy: 'test/integration/protocol/errand-trouble.test.ts',
    test: 'until one is answered',
  },
  {
    name: 'what its service may have forgotten has never run',
    file: PROBE,
    find: 'unresolved && (again || nowMs < firstStartAtMs + ERRAND_RULES[type].visibleForMs);',
    replace: 'unresolved && (again || nowMs < firstStartAtMs + 90 * ERRAND_RULES[type].visibleForMs);',
    killedBy: ECS,
    test: 'lost from sight',
  },
  {
    name: 'what a user runs again is lost from sight again',
    file: PROBE,
    find: 'unresolved && (again || nowMs',
    replace: 'unresolved && ((again && false) || nowMs',
    killedBy: ECS,
    test: 'a user retry starts another',
  },
  {
    name: 'a task is started with the templates of its target',
    file: START,
    find: 'startOf(execution, called, {',
    replace: 'startOf(execution, target, {',
    killedBy: ECS,
    test: 'templates are put in',
  },
];
