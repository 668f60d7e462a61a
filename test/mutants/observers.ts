import type { Mutant } from './mutant';

const OBSERVED = 'test/integration/pipeline/observed-attempts.test.ts';

export const observerMutants: readonly Mutant[] = [
  {
    name: 'the token of an observer decides its attempt',
    file: 'lambdas/api/attempts/attempt-report.ts',
    find: 'if (attempt.isObserver && !takesObservers)',
    replace: 'if (attempt.isObserver && takesObservers === undefined)',
    killedBy: OBSERVED,
    test: 'decides nothing',
  },
  {
    name: 'an observer of an earlier attempt goes on',
    file: 'lambdas/api/attempts/observe-attempt.ts',
    find: 'if (execution && holdsLease(execution, lease))',
    replace: "if (execution?.status === 'running')",
    killedBy: OBSERVED,
    test: 'the token before is stale',
  },
  {
    name: 'an observer of an earlier attempt says how far it is',
    file: 'lambdas/core/store/dynamo/executions/heartbeat.ts',
    find: 'ConditionExpression: condition,',
    replace: "ConditionExpression: condition.replaceAll(' AND ', ' OR '),",
    killedBy: OBSERVED,
    test: 'the token before is stale',
  },
  {
    name: 'the text of a progress has any length',
    file: 'lambdas/core/http/report.ts',
    find: 'singleLine(1, MAX_PROGRESS_TEXT)',
    replace: 'singleLine(1, 100 * MAX_PROGRESS_TEXT)',
    killedBy: OBSERVED,
    test: 'a heartbeat with',
  },
  {
    name: 'an attempt begins with the progress of the one before',
    file: 'lambdas/core/store/dynamo/executions/lease.ts',
    find: "remove: ['startAtMs', 'progress'],",
    replace: "remove: ['startAtMs'],",
    killedBy: OBSERVED,
    test: 'the token before is stale',
  },
  {
    name: 'a heartbeat of an observer keeps a lease',
    file: 'lambdas/api/attempts/attempts.ts',
    find: 'if (attempt.isObserver) return observeAttempt(attempt, progress, deps);',
    replace:
      'if (attempt.isObserver) await deps.executions.heartbeat(attempt.lease, deps.clock.nowMs());\n' +
      '  if (attempt.isObserver) return observeAttempt(attempt, progress, deps);',
    killedBy: OBSERVED,
    test: 'keep no lease',
  },
];
