import { FakeRandom } from '../../../support/fake-random';
import type { ClientAction } from '../../workload';
import { INCIDENT_SECRET, KEEPING_INCIDENTS } from '../notifications';

/** Drawn apart, so that no other draw changes. */
const APART = 93_000;
const WITH_INCIDENTS = 0.5;
const SECOND_MS = 1_000;
/** Before the first job, and from when on the notification keeps incidents. */
export const INCIDENTS_FROM_MS = 9 * SECOND_MS;

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body'>;

/** A notification that keeps incidents of all jobs, in some of the seeds. */
export function drawIncidents(seed: number): readonly Drawn[] {
  return new FakeRandom(APART + seed).fraction() < WITH_INCIDENTS ? KEEPING : [];
}

/** The first requests of a project whose notification keeps incidents. */
export const KEEPING: readonly Drawn[] = [
  {
    action: 'put-secret',
    atMs: INCIDENTS_FROM_MS - 4 * SECOND_MS,
    jobId: 'pagerduty',
    body: INCIDENT_SECRET,
  },
  { action: 'notification', atMs: INCIDENTS_FROM_MS, jobId: 'pages', body: KEEPING_INCIDENTS },
];
