import type { ExecutionEnds } from '../../execution-ends';
import type { ExecutionStore } from '../../execution-store';
import type { DocumentClient, TableAccess } from '../access';
import { heartbeat, keepProgress } from './heartbeat';
import { appendLateResult, appendReport, claim, leaveToErrand, writeDelegation } from './lease';
import { awaitRetry, endRun, endStale, endWaiting, finish, takeOver } from './end-executions';
import { freeKey, suspend, releaseHeld, replaceDelayed } from './delayed-runs';
import {
  markInsideRange,
  moveQueued,
  putEnded,
  putQueued,
  requestCancel,
  unblock,
  userRetry,
} from './change-executions';
import {
  listExecutions,
  listFailures,
  readExecution,
  readManyExecutions,
  readStatuses,
} from './read-executions';

/** The Executions table: one function here per access pattern. Heartbeats have a client of their own. */
export function dynamoExecutionStore(
  access: TableAccess & { heartbeats: DocumentClient },
): ExecutionStore & ExecutionEnds {
  const heartbeatAccess: TableAccess = { ...access, documents: access.heartbeats };
  return {
    claim: (request, options) => claim(access, request, options),
    heartbeat: (lease, nowMs, progress) => heartbeat(heartbeatAccess, lease, nowMs, progress),
    keepProgress: (lease, progress) => keepProgress(access, lease, progress),
    requestCancel: (seen, request) => requestCancel(access, seen, request),
    finish: (lease, ending, records) => finish(access, lease, ending, records),
    awaitRetry: (lease, next, records) => awaitRetry(access, lease, next, records),
    delegateLease: (lease, to, nowMs, records) => writeDelegation(access, lease, to, nowMs, records),
    leaveToErrand: (seen, to) => leaveToErrand(access, seen, to),
    appendReport: (lease, record) => appendReport(access, lease, record),
    takeOver: (seen, next, lost) => takeOver(access, seen, next, lost),
    endStale: (seen, ending, lost) => endStale(access, seen, ending, lost),
    endWaiting: (seen, ending) => endWaiting(access, seen, ending),
    endRun: (seen, ending) => endRun(access, seen, ending),
    userRetry: (seen, retry, options) => userRetry(access, seen, retry, options),
    markInsideRange: (ref) => markInsideRange(access, ref),
    unblock: (ref) => unblock(access, ref),
    putEnded: (row) => putEnded(access, row),
    putQueued: (row, options) => putQueued(access, row, options),
    moveQueued: (ref, moved, options) => moveQueued(access, ref, moved, options),
    replaceDelayed: (seen, to, options) => replaceDelayed(access, seen, to, options),
    suspend: (seen, heldAtMs) => suspend(access, seen, heldAtMs),
    releaseHeld: (seen, startAtMs) => releaseHeld(access, seen, startAtMs),
    freeKey: (seen) => freeKey(access, seen),
    appendLateResult: (ref, result, room) => appendLateResult(access, ref, result, room),
    get: (ref) => readExecution(access, ref),
    getMany: (refs, options) => readManyExecutions(access, refs, options),
    getStatuses: (refs) => readStatuses(access, refs),
    list: (jobKey, page) => listExecutions(access, jobKey, page),
    listFailures: (userId, page) => listFailures(access, userId, page),
  };
}
