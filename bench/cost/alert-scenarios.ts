import { SECOND_MS } from '../../lambdas/core/clock/clock';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { FEW, aheadOf, LIFE_MS, oneTimeJob, playedOnce, steady, wholeLives } from './lives';
import { EVERY_MINUTE, type JobShape } from './jobs';
import type { MeteredDeployment } from './metered-deployment';
import { difference, type Totals } from './usage';

const HOOK = { type: 'http', url: 'https://hooks.example.com/ops' };
const PAGER = { type: 'pagerduty', routingKey: '{{ secrets.pager }}' };

const notify =
  (on: readonly string[], more: object = {}) =>
  (deployment: MeteredDeployment): Promise<unknown> =>
    deployment.request('putNotification', { id: 'ops' }, { on, target: HOOK, ...more });

async function pageOn(deployment: MeteredDeployment, on: readonly string[]): Promise<void> {
  const secret = { value: 'R015VGZ5Y1T0KEYOFPAGERDUTY', hosts: ['events.pagerduty.com'] };
  await deployment.request('putSecret', { name: 'pager' }, secret);
  await deployment.request('putNotification', { id: 'pages' }, { on, target: PAGER });
}

/** A project with all of this: jobs that use none of it pay nothing. */
async function watched(deployment: MeteredDeployment): Promise<void> {
  await notify(['failed', 'skipped', 'late', 'slow', 'quick', 'recovered'], { lateAfter: '5m' })(deployment);
  await pageOn(deployment, ['failed', 'slow']);
  await deployment.request('putProjectPingKey', {});
  const target = { type: 'monitor', pingWithin: '30d' };
  const monitor = { schedule: { type: 'none' }, expectEvery: '1d', target };
  await deployment.request('createJob', {}, { jobId: 'backup', ...monitor });
}

const isMessage = (jobId: string | undefined): boolean => jobId?.startsWith('~n-') === true;

/** Jobs take so long, messages do not. */
const takingMs =
  (ms: number) =>
  ({ clock }: MeteredDeployment): CallTarget =>
  async (_, { headers }) => {
    await clock.sleep(isMessage(headers['quarterjack-job']) ? 50 : ms);
    return { outcome: 'succeeded', statusCode: 200, body: 'ok' };
  };

const TAKES_MS = 2 * SECOND_MS;

/** What a message about the pace of a success costs, besides its execution. */
async function paceMessage(pace: 'slow' | 'quick', expectDuration: object): Promise<Totals> {
  const lives = (more: Partial<JobShape>, prepare?: ReturnType<typeof notify>) =>
    wholeLives((deployment) => ({ ...oneTimeJob(deployment), ...more }), {
      call: takingMs(TAKES_MS),
      prepare,
      jobs: FEW,
    });
  return difference(await lives({ expectDuration }, notify([pace])), await lives({}));
}

/** One failure, and one success so long after it. */
const failureAndSuccess = (
  everyMinutes: number,
  prepare?: (deployment: MeteredDeployment) => Promise<unknown>,
): Promise<Totals> =>
  wholeLives(
    (deployment) => {
      const anchor = aheadOf(deployment);
      const every = `${everyMinutes}m`;
      const schedule = { type: 'interval', every, anchor, startAt: anchor, maxRuns: 2 };
      return { schedule, retry: { maxAttempts: 1 } };
    },
    { call: failingFirst, prepare, jobs: FEW, lifeMs: 3 * LIFE_MS },
  );

function failingFirst(): CallTarget {
  const seen = new Set<string>();
  return async (_, { headers }) => {
    const jobId = headers['quarterjack-job'];
    if (jobId === undefined || isMessage(jobId) || seen.has(jobId))
      return { outcome: 'succeeded', statusCode: 202 };
    seen.add(jobId);
    return { outcome: 'fatal', statusCode: 410, error: 'gone' };
  };
}

const SOON_MINUTES = 2;
const LATER_MINUTES = 32;
const paged = (deployment: MeteredDeployment) => pageOn(deployment, ['failed']);
const pagedFailure = playedOnce((minutes: number) => failureAndSuccess(minutes, paged));

/** An incident that a failure opens, and a success resolves two minutes later. */
const incident = async (): Promise<Totals> =>
  difference(await pagedFailure(SOON_MINUTES), await failureAndSuccess(SOON_MINUTES));

/** A minute more, in which an incident is open. */
const openIncident = async (): Promise<Totals> =>
  difference(
    await pagedFailure(LATER_MINUTES),
    await pagedFailure(SOON_MINUTES),
    LATER_MINUTES - SOON_MINUTES,
  );

/** What messages and incidents cost. */
export const ALERT_SCENARIOS = {
  /** As `recurringFire`, in a project that uses notifications, incidents and monitors for other jobs. */
  watchedFire: () => steady({ schedule: EVERY_MINUTE }, 1, watched),
  /** As `watchedFire`, with bounds that each success is within. */
  boundedFire: () => steady({ schedule: EVERY_MINUTE, expectDuration: { max: '1m' } }, 1, watched),
  slowMessage: () => paceMessage('slow', { max: '1s' }),
  quickMessage: () => paceMessage('quick', { min: '1m' }),
  incident,
  openIncident,
} satisfies Record<string, () => Promise<Totals>>;
