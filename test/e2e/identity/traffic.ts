import { USAGE_SORT } from '../../../lambdas/core/store/dynamo/usage/dynamo-usage-store';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { openIssuer } from '../../../local/issuer/issuer';
import { eventually } from '../../support/eventually';
import type { Host } from '../../support/local/host';
import { Operator } from './operator';
import type { Receiver } from './receiver';
import type { Watch } from './watch';

const PRIORITIES = ['highest', 'high', 'medium', 'low', 'lowest'];
const RETRY = { maxAttempts: 3, initialDelay: '1s', maxDelay: '2s', multiplier: 2, maxAge: '1h' };
const ARRIVES_WITHIN_MS = 240_000;
/** What depends on who comes first is done again after this long without effect. */
const ROUND_MS = 45_000;
const ROUNDS = 5;
const HOUR_MS = 3_600_000;
/** More than one user's share of a second in all shards together, 13 in each of four. */
const CROWD = 60;
/** All of them are made by then, on a slow machine too. */
const CROWD_DUE_AFTER_MS = 15_000;

/** Work that makes every stage do all that it can do. Each step says what only it brings about. */
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

  /** With schedules off, so that the scanner has all of it still before it: occurrences, one in line, and a retry. */
  async beforeTheFirstTick(): Promise<void> {
    await this.each('early', { schedule: { type: 'interval', every: '20s' } });
    await this.crowd('early-crowd', { schedule: inMs(CROWD_DUE_AFTER_MS) });
    await this.create('in-line', { schedule: { type: 'interval', every: '2m' }, orderingKey: 'early' });
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
      this.audit(),
      this.redrive(),
    ]);
  }

  /**
   * The operator stops the clock, and starts it again. Before anything else: what is read while it stands still is
   * believed for a while. Then the scanner comes up with its horizon: what is created from now on it passes over.
   */
  private async maintain(): Promise<void> {
    const authorization = await authorizationOf('admin', 'admin');
    for (const call of ['stop', 'start'])
      await this.api('POST', `/v1/admin/${call}`, undefined, { authorization });
    await eventually(
      async () => (await this.api('GET', '/v1/admin/status', undefined, { authorization })).body,
      ({ scan }) => scan.lagSec === 0 && scan.shards.every(({ at }: { at: string | null }) => at !== null),
      ARRIVES_WITHIN_MS,
    );
  }

  /** The operator moves the dead letters of every queue back to it. */
  private async redrive(): Promise<void> {
    await this.operator.addDeadLetters();
    const authorization = await authorizationOf('admin', 'admin');
    const { body } = await this.api('GET', '/v1/admin/status', undefined, { authorization });
    for (const { name } of body.queues)
      await this.api('POST', '/v1/admin/redrive', { queue: name, max: 1 }, { authorization });
  }

  /** Executors die in the middle of a call, with somebody behind it in line. */
  private async crash(): Promise<void> {
    const ordered = { orderingKey: 'crash', overlap: 'skip' };
    await this.create('crashed', { schedule: inMs(5_000), ...ordered }, '/never');
    await this.create('behind', { schedule: inMs(5_500), ...ordered });
    await this.arrives('crashed', 1);
    while (await this.host.killWorker('Executor'));
  }

  /** Whoever waits in line is looked at; then nothing has been heard of the crashed one for so long that it starts anew. */
  private async takeOver(): Promise<void> {
    await this.brings('sweeper dynamodb:GetItem executions');
    await this.operator.backdateBeats('crashed', HOUR_MS);
    await this.arrives('crashed', 2);
  }

  /** Messages that vanish, those that died with their executors too: the sweeper looks at the queues and sends again. */
  private async loseMessages(round: number): Promise<void> {
    await this.each(`lost-${round}`, { schedule: { type: 'delay', delay: '5s' } });
    await this.crowd(`lost-crowd-${round}`, { schedule: inMs(CROWD_DUE_AFTER_MS) });
    await this.operator.purgeExecutions();
  }

  /** A second attempt in every priority, and in the overflow, which the executor sends itself. */
  private async failOnce(): Promise<void> {
    await this.brings('executor sqs:', async (round) => {
      const name = `flaky-${round}`;
      await this.each(name, { schedule: { type: 'delay', delay: '1s' }, retry: RETRY }, '/flaky');
      await this.crowd(`${name}-crowd`, { schedule: inMs(CROWD_DUE_AFTER_MS), retry: RETRY }, '/flaky');
    });
  }

  /**
   * What the auditor finds: jobs whose entries have vanished, jobs that have nothing on record for the last hours, and a
   * user who has far less than was counted.
   */
  private async audit(): Promise<void> {
    await this.each('audited', { schedule: { type: 'interval', every: '40s' } });
    await this.crowd('audited-crowd', { schedule: { type: 'cron', expression: '* * * * *' } });
    for (const policy of ['skip', 'fire-all']) {
      const misfire = { policy };
      await this.each(`aged-${policy}`, { schedule: { type: 'cron', expression: '*/20 * * * *' }, misfire });
      for (const priority of PRIORITIES)
        await this.operator.backdateJob(`aged-${policy}-${priority}`, 3 * HOUR_MS);
    }
    const usage = { jobs: 1e8, firesPerHour: 1e8, payloadBytes: 1e12 };
    await this.operator.putJobsRow({ userId: 'nobody', jobId: USAGE_SORT, ...usage });
    await this.brings('auditor', async () => {
      await this.operator.eraseEntries('audited-');
      await this.operator.invoke('StagesAuditor');
    });
  }

  /** Every other call of the API on a job. */
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
    for (const path of [
      '/v1/jobs',
      '/v1/jobs/managed/upcoming',
      '/v1/jobs/managed/executions',
      '/v1/signing-secret',
    ])
      await this.api('GET', path);
    await this.api('DELETE', '/v1/jobs/managed');
    await this.api('GET', '/v1/failures');
    await this.api('POST', '/v1/signing-secret/rotate');
  }

  /** Jobs that still run when they are due again. Not for ever: what is always busy hides that a message is lost. */
  private async overlap(): Promise<void> {
    const schedule = { type: 'interval', every: '5s', maxRuns: 2 };
    for (const overlap of ['skip', 'queue', 'replace'])
      await this.create(overlap, { schedule, overlap }, '/slow');
  }

  /** Jobs that take turns, and one that stands in the way until it is cancelled. */
  private async order(): Promise<void> {
    // Four within fifteen seconds: wherever a minute ends, two of one bucket are written in one call.
    const ordered = { orderingKey: 'line', schedule: { type: 'interval', every: '5s', maxRuns: 4 } };
    for (const jobId of ['first', 'second']) await this.create(jobId, ordered);
    await this.arrives('second', 2);
    const blocked = { orderingKey: 'blocked', onFailure: 'block', schedule: { type: 'delay', delay: '1s' } };
    await this.create('blocking', blocked, '/fatal');
    await this.arrives('blocking', 1);
    await this.api('GET', '/v1/ordering-keys?orderingKey=blocked');
    await this.api('POST', '/v1/ordering-keys/unblock', { orderingKey: 'blocked' });
  }

  /** A manual run, cancelled and tried again; and one that failed for good. */
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

  /** Does something, and again where others came first, until all grants are needed whose spelling begins so. */
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

  /** One job for each priority, named after it. */
  private async each(name: string, definition: object, path?: string): Promise<void> {
    for (const priority of PRIORITIES)
      await this.create(`${name}-${priority}`, { ...definition, priority }, path);
  }

  /** Many jobs of another user, due at once: more than its share. */
  private async crowd(name: string, definition: object, path?: string): Promise<void> {
    const jobs = Array.from({ length: CROWD }, (_, index) => ({
      jobId: `${name}-${index}`,
      ...this.body(definition, path),
    }));
    const authorization = await authorizationOf('crowd', 'jobs:write');
    const { body } = await this.api('POST', '/v1/jobs/batch', { jobs }, { authorization });
    const refused = body.outcomes.filter(({ status }: { status: number }) => status !== 201);
    if (refused.length > 0) throw new Error(`not made: ${JSON.stringify(refused[0])}`);
  }

  private async create(jobId: string, definition: object, path?: string): Promise<void> {
    await this.api('POST', '/v1/jobs', { jobId, ...this.body(definition, path) });
  }

  private body(definition: object, path = '/hook'): object {
    return { target: { type: 'http', url: this.receiver.url + path }, ...definition };
  }

  /** Throws for an answer that is not a success. */
  private async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await this.host.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${this.host.run.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return { headers: answer.headers, body: text ? JSON.parse(text) : undefined };
  }
}

const inMs = (ms: number) => ({ type: 'at', at: new Date(Date.now() + ms).toISOString() });

async function authorizationOf(user: string, scope: string): Promise<string> {
  const issuer = await openIssuer(ISSUER_DIR);
  return `Bearer ${await issuer.token({ user, scope, ttlSec: 600, nowMs: Date.now() })}`;
}
