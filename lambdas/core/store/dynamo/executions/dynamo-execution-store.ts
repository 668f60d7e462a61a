import type { ExecutionStore } from '../../execution-store';
import type { DocumentClient, TableAccess } from '../access';
import { askCancel } from './request-cancel';
import { beat } from './heartbeat';
import { claim } from './claim';
import { awaitRetry, finish } from './end-attempt';
import { endStale, takeOver } from './end-stale';
import { endWaiting } from './end-waiting';
import { listFailures } from './failures';
import { handOver } from './delegate-lease';
import { keepLate } from './append-late-result';
import { noteReport } from './append-report';
import { listExecutions } from './list-executions';
import { putQueued, putSkipped } from './put-execution';
import { revive } from './user-retry';
import { unblock } from './unblock';
import { glanceAtExecutions, readExecution, readManyExecutions } from './read-executions';

/** The Executions table; a file beside this one for each access pattern. Beats have a client of their own. */
export function dynamoExecutionStore(access: TableAccess & { beats: DocumentClient }): ExecutionStore {
  const beatAccess: TableAccess = { ...access, documents: access.beats };
  return {
    claim: (request) => claim(access, request),
    beat: (lease, nowMs) => beat(beatAccess, lease, nowMs),
    askCancel: (seen, asked) => askCancel(access, seen, asked),
    finish: (lease, ending, ...records) => finish(access, lease, ending, records),
    awaitRetry: (lease, next, ...records) => awaitRetry(access, lease, next, records),
    handOver: (lease, to, nowMs, ...records) => handOver(access, lease, to, nowMs, records),
    noteReport: (lease, record) => noteReport(access, lease, record),
    takeOver: (seen, next, ...lost) => takeOver(access, seen, next, lost),
    endStale: (seen, ending, ...lost) => endStale(access, seen, ending, lost),
    endWaiting: (seen, ending) => endWaiting(access, seen, ending),
    revive: (seen, revival) => revive(access, seen, revival),
    unblock: (ref) => unblock(access, ref),
    putSkipped: (row) => putSkipped(access, row),
    putQueued: (row) => putQueued(access, row),
    keepLate: (ref, result, room) => keepLate(access, ref, result, room),
    get: (ref) => readExecution(access, ref),
    getMany: (refs, options) => readManyExecutions(access, refs, options),
    glance: (refs) => glanceAtExecutions(access, refs),
    list: (jobKey, page) => listExecutions(access, jobKey, page),
    listFailures: (userId, page) => listFailures(access, userId, page),
  };
}
