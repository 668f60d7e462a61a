import { FakeRandom } from '../../../support/fake-random';
import type { RunPlan } from '../../run-plan';
import type { ClientAction } from '../../workload';
import { MINUTE_MS } from '../draws';
import { TENANTS } from './draw-tenant';
import { given, maybe } from './drawn';

const REQUESTS = 30;
const KEYS = ['run-key-1', 'run-key-2'];
/** Drawn apart, so that no other draw changes. */
const APART = 77_000;

type Drawn = Pick<ClientAction, 'action' | 'atMs' | 'jobId' | 'body' | 'idempotencyKey'>;

/** Runs at a later time, with and without a key or a payload of their own, and cancels by a key. */
export function drawRuns({ seed, quietFromMs }: RunPlan, userId: string, jobs: readonly string[]): Drawn[] {
  const random = new FakeRandom(APART + seed);
  const labels = new FakeRandom(APART * 2 + seed);
  const payloads = new FakeRandom(APART * 3 + seed);
  return Array.from({ length: REQUESTS }, (_, request): Drawn => {
    const atMs = random.between(MINUTE_MS, quietFromMs);
    const [jobId, key] = [random.pick(jobs), random.pick(KEYS)];
    if (random.fraction() < 0.25) return { action: 'cancel-key', atMs, jobId, body: { key } };
    const isKeyed = random.fraction() < 0.7;
    const payload = maybe(payloads, 0.4, () =>
      given({
        userId,
        jobId,
        stamp: `request-${request}`,
        tenant: maybe(payloads, 0.9, () => payloads.pick(TENANTS)),
      }),
    );
    const body = given({
      payload,
      delay: maybe(random, 0.8, () => random.pick(['2s', '20s', '50s', '100s'])),
      ...(isKeyed && {
        key,
        onExisting: maybe(random, 0.8, () => random.pick(['keep', 'replace'])),
        keyTtl: maybe(random, 0.2, () => '30s'),
      }),
      priority: maybe(random, 0.2, () => random.pick(['high', 'low'])),
      tags: maybe(random, 0.2, () => ({ team: 'billing' })),
      runTags: maybe(labels, 0.3, () => ['customer:42', `request:${request % 3}`]),
      externalId: maybe(labels, 0.3, () => `order-${request % 5}`),
    });
    return { action: 'run', atMs, jobId, body, idempotencyKey: maybe(random, 0.4, () => `run-${request}`) };
  });
}
