import { NOTIFICATION_FORMATS, NOTIFICATION_KINDS } from '../../../../lambdas/core/domain/notification';
import { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';
import { TELLING_PACES } from '../notifications';
import { TAG } from './draw-job';
import { NOTIFICATION, NOTIFICATION_BODY } from './draw-named';
import { type Body, given, maybe } from './drawn';

/** Drawn apart, so that no other draw changes. */
const APART = 103_000;
const WITH_PACES = 0.5;
const CHANGES = 7;
/** Before the first job, and from when on the notification tells of paces. */
export const PACES_FROM_MS = 10_000;

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body'>;

/** A notification that tells of slow and quick successes of all jobs, in some of the seeds. */
export function drawPaces(seed: number): readonly Drawn[] {
  const isOn = new FakeRandom(2 * APART + seed).fraction() < WITH_PACES;
  return isOn ? [{ action: 'notification', atMs: PACES_FROM_MS, jobId: 'paces', body: TELLING_PACES }] : [];
}

/** Another notification changes what it tells of, and how. */
export function drawNotifications({ seed, quietFromMs }: RunPlan): readonly Drawn[] {
  const random = new FakeRandom(APART + seed);
  return Array.from({ length: CHANGES }, (): Drawn => ({
    action: 'notification',
    atMs: random.between(MINUTE_MS, quietFromMs),
    jobId: NOTIFICATION,
    body: drawNotification(random),
  }));
}

/** Each kind of what a notification may tell of is drawn by itself. */
function drawNotification(random: FakeRandom): Body {
  const drawn = NOTIFICATION_KINDS.filter(() => random.fraction() < 0.5);
  const on = drawn.length > 0 ? drawn : ['slow'];
  const [[name, value]] = Object.entries(TAG) as [[string, string]];
  return given({
    on,
    lateAfter: on.includes('late') ? '2m' : undefined,
    filter: maybe(random, 0.3, () => ({ tag: `${name}:${value}` })),
    target: NOTIFICATION_BODY.target,
    minInterval: maybe(random, 0.6, () => random.pick(['1m', '3m'])),
    format: maybe(random, 0.7, () => random.pick(NOTIFICATION_FORMATS)),
  });
}
