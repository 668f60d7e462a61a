import { USAGE_SORT } from '../../../lambdas/core/store/dynamo/dynamo-usage-store';
import { eventually } from '../../support/eventually';
import type { Host } from '../../support/local/host';
import { redrive, showAges } from './administer';
import { makeCrowd } from './crowd';
import { Operator } from './operator';
import { sendMail, useKey } from './owner';
import { ping } from './ping';
import type { Receiver } from './receiver';
import { work } from './work';
import { authorizationOf, endTasksOfTwoRuns, inMs, requestTo, runWorkflow } from './requests';
import type { Watch } from './watch';

const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'];
const RETRY = { maxAttempts: 3, initialDelay: '1s', maxDelay: '2s', multiplier: 2, maxAge: '1h' };
const ARRIVES_WITHIN_MS = 240_000;
/** A step that depends on a race is repeated after this long without effect. */
const ROUND_MS = 45_000;
const ROUNDS = 5;
const HOUR_MS = 3_600_000;
/** Enough time to create all of them, even on a slow machine. */
const CROWD_DUE_AFTER_MS = 15_000;

/** Makes every stage use all of its grants. Each step says what only it causes. */
export class Traffic {
  private readonly operator: Operator;

  constructor(
    private readonly host: Host,
    private readonly receiver: Receiver,
    private readonly watch: Watch,
  ) {
    this.operator = new Operator(host);
  }

  close(): void {
    this.operator.close();
  }

  /**
   * Work for the scanner, while schedules are off: occurrences, one of them with an ordering key, and a
   * retry.
   */
  async beforeTheFirstTick(): Promise<void> {
    await this.each('early', { schedule: { type: 'interval', every: '20s' } });
    await this.crowd('early-crowd', () => ({ schedule: inMs(CROWD_DUE_AFTER_MS) }));
    await this.create('ordered', { schedule: { type: 'interval', every: '2m' }, orderingKey: 'early' });
    await this.create('retried', { schedule: { type: 'delay', delay: '1s' }, retry: RETRY }, '/busy');
    await eventually(
      () => this.api('GET', '/v1/jobs/retried/executions'),
      ({ body }) => body.items[0]?.status === 'retrying',
      ARRIVES_WITHIN_MS,
    );
  }

  async run(): Promise<void> {
    await this.maintain();
    await this.crash();
    await this.loseMessages(1);
    await Promise.all([
      this.takeOver(),
      this.brings('sweeper sqs:', (round) => (round === 1 ? undefined : this.loseMessages(round))),
      this.failOnce(),
      this.manage(),
      this.overlap(),
      this.runByHand(),
      this.order(),
      this.limit(),
      this.audit(),
      redrive((...call) => this.api(...call), this.operator),
      this.brings('api cloudwatch:', () => showAges((...call) => this.api(...call), this.operator)),
      useKey((...call) => this.api(...call)),
      runWorkflow(this.host, this.receiver.url, ARRIVES_WITHIN_MS),
      this.cause(),
      this.brings('follower', () => endTasksOfTwoRuns(this.host, this.receiver.url)),
      work((...call) => this.api(...call), ARRIVES_WITHIN_MS),
      ping((...call) => this.api(...call)),
    ]);
  }

  /**
   * The operator stops and starts the deployment. This comes first, because functions cache the maintenance
   * mode for a while. It then waits until the scanner has reached its horizon, so the API dispatches later
   * jobs.
   */
  private async maintain(): Promise<void> {
    const authorization = await authorizationOf('admin', 'admin');
    for (const call of ['stop', 'start'])
      await this.api('POST', `/v1/admin/${call}`, undefined, { authorization });
    await this.operator.backdateStops(HOUR_MS);
    await eventually(
      async () => (await this.api('GET', '/v1/admin/status', undefined, { authorization })).body,
      ({ scan }) => scan.lagSec === 0 && scan.shards.every(({ at }: { at: string | null }) => at !== null),
      ARRIVES_WITHIN_MS,
    );
  }

  /** An end starts the job that waits for it: by the executor, and once more by the sweeper's recheck. */
  private async cause(): Promise<void> {
    await this.create('up', { schedule: { type: 'none' } });
    await this.create('waiter', { schedule: { type: 'after', jobs: ['up'] } });
    await this.api('POST', '/v1/jobs/up/run');
    await this.arrives('waiter', 1);
  }

  /** Executors die in the middle of a call, while another execution waits for the ordering key. */
  private async crash(): Promise<void> {
    const ordered = { orderingKey: 'crash', overlap: 'skip' };
    await this.create('crashed', { schedule: inMs(5_000), ...ordered }, '/never');
    await this.create('behind', { schedule: inMs(5_500), ...ordered });
    await this.arrives('crashed', 1);
    while (await this.host.killWorker('StagesExecutor'));
  }

  /**
   * The sweeper rechecks the waiting execution. Then the crashed one's heartbeat is stale, and it starts
   * again.
   */
  private async takeOver(): Promise<void> {
    await this.brings('sweeper dynamodb:GetItem executions');
    await this.operator.backdateHeartbeats('crashed', HOUR_MS);
    await this.arrives('crashed', 2);
  }

  /**
   * Messages are lost, including those of dead executors. The sweeper reads the queues' backlogs and sends
   * again.
   */
  private async loseMessages(round: number): Promise<void> {
    await this.each(`lost-${round}`, { schedule: { type: 'delay', delay: '5s' } });
    await this.crowd(`lost-crowd-${round}`, () => ({ schedule: inMs(CROWD_DUE_AFTER_MS) }));
    await this.operator.purgeExecutions();
  }

  /** The executor sends second attempts itself: to every lane. */
  private async failOnce(): Promise<void> {
    await this.brings('executor sqs:', async (round) => {
      const name = `flaky-${round}`;
      await this.each(name, { schedule: { type: 'delay', delay: '1s' }, retry: RETRY }, '/flaky');
      await this.crowd(
        `${name}-crowd`,
        () => ({ schedule: inMs(CROWD_DUE_AFTER_MS), retry: RETRY }),
        '/flaky',
      );
    });
  }

  /**
   * The auditor finds jobs whose entries are gone and jobs without records of the last hours. It also finds a
   * user whose stored usage is far too high.
   */
  private async audit(): Promise<void> {
    await this.each('audited', { schedule: { type: 'interval', every: '40s' } });
    await this.crowd('audited-crowd', () => ({ schedule: { type: 'cron', expression: '* * * * *' } }));
    for (const policy of ['skip', 'fire-all']) {
      const misfire = { policy };
      await this.each(`aged-${policy}`, { schedule: { type: 'cron', expression: '*/20 * * * *' }, misfire });
      for (const lane of [...PRIORITIES, 'long'])
        await this.operator.backdateJob(`aged-${policy}-${lane}`, 3 * HOUR_MS);
    }
    const usage = { jobs: 1e8, firesPerHour: 1e8, payloadBytes: 1e12, liveRuns: 0 };
    await this.operator.putJobsRow({ userId: 'overcounted', jobId: USAGE_SORT, ...usage });
    await this.brings('auditor', async () => {
      await this.operator.eraseEntries('audited-');
      await this.operator.invoke('StagesAuditor');
    });
  }

  /** All other API calls on a job. */
  private async manage(): Promise<void> {
    await this.create('managed', { schedule: { type: 'cron', expression: '*/2 * * * *' } });
    const job = await this.api('GET', '/v1/jobs/managed');
    await this.api(
      'PATCH',
      '/v1/jobs/managed',
      { name: 'Renamed' },
      { 'if-match': job.headers.get('etag') ?? '' },
    );
    await this.api('PUT', '/v1/jobs/managed', this.body({ schedule: { type: 'interval', every: '1h' } }));
    await this.api('POST', '/v1/jobs/managed/pause');
    await this.api('POST', '/v1/jobs/managed/resume');
    for (const page of ['/', '/console', '/console/jobs']) await this.host.fetch(page);
    for (const path of [
      '/v1/jobs',
      '/v1/jobs/managed/upcoming',
      '/v1/jobs/managed/executions',
      '/v1/signing-secret',
    ])
      await this.api('GET', path);
    // It has no row, so its job is read too.
    const executions = [{ jobId: 'managed', execId: '20200101T000000.000Z' }];
    await this.api('POST', '/v1/executions/lookup', { executions });
    await this.api('DELETE', '/v1/jobs/managed');
    await sendMail((...call) => this.api(...call));
    await this.api('GET', '/v1/failures');
    await this.api('POST', '/v1/signing-secret/rotate');
  }

  /**
   * Jobs that still run when they are due again. Only two runs each, since a busy queue hides lost messages.
   */
  private async overlap(): Promise<void> {
    const schedule = { type: 'interval', every: '5s', maxRuns: 2 };
    for (const overlap of ['skip', 'queue', 'replace'])
      await this.create(overlap, { schedule, overlap }, '/slow');
  }

  /** Jobs that share an ordering key, and a failed one that blocks its key until it is unblocked. */
  private async order(): Promise<void> {
    // Four within fifteen seconds: at least two of them share a bucket, and one call writes both.
    const ordered = { orderingKey: 'shared', schedule: { type: 'interval', every: '5s', maxRuns: 4 } };
    for (const jobId of ['first', 'second']) await this.create(jobId, ordered);
    await this.arrives('second', 2);
    const blocked = { orderingKey: 'blocked', onFailure: 'block', schedule: { type: 'delay', delay: '1s' } };
    await this.create('blocking', blocked, '/fatal');
    await this.arrives('blocking', 1);
    await this.api('GET', '/v1/ordering-keys?orderingKey=blocked');
    await this.api('POST', '/v1/ordering-keys/unblock', { orderingKey: 'blocked' });
  }

  /** Jobs that share a concurrency key: one of them waits for a slot. */
  private async limit(): Promise<void> {
    await this.api('PUT', '/v1/concurrency-keys/shared', { limit: 1 });
    const limited = { concurrencyKey: 'shared', schedule: { type: 'delay', delay: '2s' } };
    for (const jobId of ['limited-1', 'limited-2']) await this.create(jobId, limited);
    await this.arrives('limited-1', 1);
    await this.arrives('limited-2', 1);
    await this.api('GET', '/v1/concurrency-keys');
    await this.api('DELETE', '/v1/concurrency-keys/shared?force=true');
  }

  /** A manual run that fails and is retried, and an occurrence that is cancelled ahead of its time. */
  private async runByHand(): Promise<void> {
    await this.create('manual', { schedule: { type: 'interval', every: '30d' } }, '/fatal');
    const run = await this.api('POST', '/v1/jobs/manual/run', undefined, { 'idempotency-key': 'once' });
    const path = `/v1/jobs/manual/executions/${run.body.execId}`;
    await eventually(
      () => this.api('GET', path),
      ({ body }) => body.status === 'failed',
      ARRIVES_WITHIN_MS,
    );
    await this.api('POST', `${path}/retry`);
    await this.arrives('manual', 2);
    await this.create('later', { schedule: { type: 'delay', delay: '1h' }, overlap: 'skip' });
    const [planned] = (await this.api('GET', '/v1/jobs/later/executions')).body.items;
    await this.api('POST', `/v1/jobs/later/executions/${planned.execId}/cancel`);
  }

  /**
   * Repeats `act` until every grant that begins with `beginning` is used. Other stages may win single rounds.
   */
  private async brings(beginning: string, act?: (round: number) => Promise<void> | undefined): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      await act?.(round);
      if (await this.watch.areNeeded(beginning, ROUND_MS)) return;
    }
  }

  private arrives(jobId: string, times: number): Promise<number> {
    return eventually(
      () => this.receiver.calls(jobId),
      (calls) => calls >= times,
      ARRIVES_WITHIN_MS,
    );
  }

  /** Creates one job for each priority, named after it, and one whose calls may be long. */
  private async each(name: string, definition: object, path = '/hook'): Promise<void> {
    for (const priority of PRIORITIES)
      await this.create(`${name}-${priority}`, { ...definition, priority }, path);
    const target = { type: 'http', url: this.receiver.url + path, timeout: '1m' };
    await this.create(`${name}-long`, { ...definition, target });
  }

  /** Many jobs of another user that are due at once. */
  private crowd(name: string, definition: () => object, path?: string): Promise<void> {
    return makeCrowd(
      (...call) => this.api(...call),
      name,
      () => this.body(definition(), path),
    );
  }

  private async create(jobId: string, definition: object, path?: string): Promise<void> {
    await this.api('POST', '/v1/jobs', { jobId, ...this.body(definition, path) });
  }

  private body(definition: object, path = '/hook'): object {
    return { target: { type: 'http', url: this.receiver.url + path }, ...definition };
  }

  /** Throws if the response is not a success. */
  private api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return requestTo(this.host, method, path, body, headers);
  }
}
