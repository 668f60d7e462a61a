import type { ApiDeps } from '../../lambdas/api/request';
import type { Operation } from '../../lambdas/core/contracts/routes';
import type { Rates } from '../../lambdas/core/quotas/rates';

/**
 * What bounds the entries and messages that the requests of a route write.
 *
 * - `nothing`: they write none.
 * - `charged`: before the first of them, the request is charged a change, a run or a report.
 * - `ends`: what a request ends is written once, and ends at one time file one entry. It is never refused.
 *   A late repeat of a cancel is charged.
 * - `work`: each execution that waits for a worker is claimed once. Claims at one time file one entry.
 */
type Bound = 'nothing' | 'charged' | 'ends' | 'work';

/** The bound of each route. A new route does not compile before it is here. */
export const BOUNDS: Readonly<Record<Operation, Bound>> = {
  getHealth: 'nothing',
  getOpenApi: 'nothing',
  getSignIn: 'nothing',
  getApiVersion: 'nothing',
  getProblem: 'nothing',
  getMe: 'nothing',
  getUsage: 'nothing',
  createJob: 'charged',
  createJobs: 'charged',
  listJobs: 'nothing',
  getJob: 'nothing',
  putJob: 'charged',
  patchJob: 'charged',
  deleteJob: 'ends', // planned occurrences of a pause
  pauseJob: 'charged',
  resumeJob: 'charged',
  runJob: 'charged',
  runJobMany: 'charged',
  cancelKeyedRun: 'ends',
  listUpcoming: 'nothing',
  listJobChanges: 'nothing',
  getJobChange: 'nothing',
  restoreJob: 'charged',
  deleteJobChange: 'nothing',
  getPingKey: 'nothing',
  rotatePingKey: 'nothing',
  getProjectPingKey: 'nothing',
  putProjectPingKey: 'nothing',
  deleteProjectPingKey: 'nothing',
  rotateProjectPingKey: 'nothing',
  provisionMonitor: 'charged',
  listExecutions: 'nothing',
  getExecution: 'nothing',
  cancelExecution: 'ends',
  retryExecution: 'charged',
  getExecutionLog: 'nothing',
  getTaskLog: 'nothing',
  listTasks: 'nothing',
  getTask: 'nothing',
  listItems: 'nothing',
  getItem: 'nothing',
  cancelTask: 'ends',
  retryTask: 'charged',
  skipTask: 'charged',
  approveTask: 'charged',
  rejectTask: 'ends',
  pauseRun: 'nothing',
  resumeRun: 'charged',
  startBackfill: 'charged',
  listBackfills: 'nothing',
  getBackfill: 'nothing',
  listAllBackfills: 'nothing',
  listWaiting: 'nothing',
  listVersions: 'nothing',
  getVersion: 'nothing',
  getJobStats: 'nothing',
  getStats: 'nothing',
  explainOccurrence: 'nothing',
  listExecutionsOfJobs: 'nothing',
  lookupExecutions: 'nothing',
  listUpcomingOfJobs: 'nothing',
  getLoad: 'nothing',
  getOrderingKey: 'nothing',
  unblockOrderingKey: 'charged',
  sendEvent: 'charged',
  listFailures: 'nothing',
  listFailureAcks: 'nothing',
  putFailureAck: 'nothing',
  deleteFailureAck: 'nothing',
  bulk: 'ends', // its items are requests of the routes above; its cancels are not charged
  heartbeatAttempt: 'nothing',
  completeAttempt: 'charged',
  failAttempt: 'charged',
  appendLog: 'nothing',
  claimWork: 'work',
  releaseWork: 'charged',
  listWorkQueues: 'nothing',
  getWorkQueue: 'nothing',
  checkWorkflow: 'nothing',
  previewSchedule: 'nothing',
  getSigningSecret: 'nothing',
  rotateSigningSecret: 'nothing',
  listConcurrencyKeys: 'nothing',
  getConcurrencyKey: 'nothing',
  putConcurrencyKey: 'charged',
  deleteConcurrencyKey: 'nothing',
  listSecrets: 'nothing',
  getSecret: 'nothing',
  putSecret: 'nothing',
  deleteSecret: 'nothing',
  listCalendars: 'nothing',
  getCalendar: 'nothing',
  putCalendar: 'charged',
  deleteCalendar: 'nothing',
  listNotifications: 'nothing',
  getNotification: 'nothing',
  putNotification: 'nothing',
  deleteNotification: 'charged',
  testNotification: 'charged',
  createApiKey: 'nothing',
  listApiKeys: 'nothing',
  revokeApiKeys: 'nothing',
  revokeApiKey: 'nothing',
  listAudit: 'nothing',
  getStatus: 'nothing',
  stopDeployment: 'nothing',
  startDeployment: 'nothing',
  redriveQueue: 'nothing',
};

type Watched = Pick<ApiDeps, 'schedule' | 'queue' | 'quotas'>;

/** Watches what one request files and sends, and what it is charged before. */
export function watched<Deps extends Watched>(operation: Operation, deps: Deps) {
  const charged: (keyof Rates)[] = [];
  const uncharged: string[] = [];
  const note = (what: string, count: number): void => {
    if (count > 0 && !charged.some((rate) => rate !== 'requests')) uncharged.push(what);
  };
  const { schedule, queue, quotas } = deps;
  return {
    deps: {
      ...deps,
      schedule: {
        ...schedule,
        putEntries: (...args: Parameters<typeof schedule.putEntries>) => {
          note('an entry', args[0].length);
          return schedule.putEntries(...args);
        },
      },
      queue: {
        ...queue,
        send: (...args: Parameters<typeof queue.send>) => {
          note('a message', args[0].length);
          return queue.send(...args);
        },
      },
      quotas: {
        ...quotas,
        chargeRate: async (...args: Parameters<typeof quotas.chargeRate>) => {
          await quotas.chargeRate(...args);
          charged.push(args[1]);
        },
      },
    } as Deps,
    /** Why the request breaks the bound of its route. */
    complaints: (): string[] => {
      const bound = BOUNDS[operation];
      if (bound === 'ends' || bound === 'work') return [];
      return uncharged.map((what) => `${operation} wrote ${what} and was charged nothing`);
    },
  };
}
