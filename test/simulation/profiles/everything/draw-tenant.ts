import { FakeRandom } from '../../../support/fake-random';
import { shardOf } from '../../../../lambdas/core/domain/shard';

/** The tenants of one project, whose payloads complete a concurrency key. */
export const TENANTS = ['t1', 't2', 'a tenant'];
/** A key of one value of the payload, for jobs that name it in place of a key of the project. */
export const DERIVED_KEY = 'tenant.{{ payload.tenant }}';
/** What has the limits of such keys: rules, of which the longest counts, and one tenant's own key. */
export const RULES = ['tenant.*', 'tenant.t*'];
export const TENANT_KEY = 'tenant.t1';
const SEEDS_APART = 1_000_000;

/** Draws of a definition that move none of its other draws. */
export const apartFrom = (what: string, { stamp, jobId }: { stamp: string; jobId: string }): FakeRandom =>
  new FakeRandom(shardOf(`${what} ${stamp} ${jobId}`, SEEDS_APART));
