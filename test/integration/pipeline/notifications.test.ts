import { MINUTE_MS, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { Target } from '../../../lambdas/core/domain/target';
import { aJob, aTarget } from '../../support/factories';
import { GONE, observed, putNotification, type Sent } from '../../support/notified-world';
import { PipelineWorld } from '../../support/pipeline-world';
import type { WorldOptions } from '../../support/world-options';

/** A world with a notification `ops`, and what its target is sent. */
async function notifying(definition: object = {}, options?: WorldOptions) {
  const seen = await observed(options);
  await putNotification(seen.world, 'ops', { on: ['failed', 'recovered'], minInterval: '5m', ...definition });
  return seen;
}

const everyMinute = (jobId: string, more: object = {}) =>
  aJob({ jobId, schedule: { type: 'cron', expression: '* * * * *', timezone: 'UTC' }, ...more });

const kinds = (sent: readonly Sent[]) => sent.map(({ kind, jobId, count }) => [kind, jobId, count]);

describe('a notification', () => {
  it('tells of a failure once in its interval, and of the recovery', async () => {
    const { world, sent, failing } = await notifying();
    failing.add('backup');
    await world.create(everyMinute('backup'));
    await world.run(4 * MINUTE_MS);
    expect(kinds(sent)).toEqual([['failed', 'backup', 1]]);
    expect(sent[0]).toMatchObject({ headline: 'Job backup failed', depth: '2' });
    await world.run(4 * MINUTE_MS);
    expect(sent[1]).toMatchObject({ kind: 'failed', count: 6 });
    expect(sent[1]!.atMs - sent[0]!.atMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    failing.clear();
    await world.run(3 * MINUTE_MS);
    expect(kinds(sent).slice(2)).toEqual([['recovered', 'backup', 8]]);
    expect(world.errors()).toEqual([]);
  });

  it('tells within 40 seconds of an end', async () => {
    const { world, sent, failing } = await notifying();
    failing.add('backup');
    await world.create(everyMinute('backup'));
    await world.run(2 * MINUTE_MS);
    const [first] = world.executions({ userId: 'alice', jobId: 'backup' });
    expect(sent[0]!.atMs - first!.finishedAtMs!).toBeLessThanOrEqual(40 * SECOND_MS);
    expect(sent[0]!.atMs - first!.finishedAtMs!).toBeGreaterThanOrEqual(20 * SECOND_MS);
  });

  it('tells again of an execution that fails twice, and that no worker has claimed', async () => {
    const { world, sent } = await notifying();
    const target: Target = { type: 'worker', queue: 'crm', startWithin: '1m', heartbeatTimeout: '1m' };
    await world.create(aJob({ jobId: 'import', schedule: { type: 'none' }, target }));
    const asked = await world.api('runJob', { jobId: 'import' });
    const { execId } = asked.body as { execId: string };
    await world.run(8 * MINUTE_MS);
    expect(kinds(sent)).toEqual([['failed', 'import', 1]]);
    expect((await world.api('retryExecution', { jobId: 'import', execId })).status).toBe(202);
    await world.run(8 * MINUTE_MS);
    expect(kinds(sent).slice(1)).toEqual([['failed', 'import', 2]]);
    expect(world.executions({ userId: 'alice', jobId: 'import' })).toMatchObject([{ execId, fence: 0 }]);
  });

  it('tells of jobs with its tag alone, and never of its own messages', async () => {
    const { world, sent, failing } = await notifying({ filter: { tag: 'team:billing' } });
    for (const jobId of ['one', 'two', '~n-ops']) failing.add(jobId);
    await world.create(everyMinute('one', { tags: { team: 'billing' } }));
    await world.create(everyMinute('two', { tags: { team: 'ops' } }));
    await world.run(3 * MINUTE_MS);
    expect(kinds(sent)).toEqual([['failed', 'one', 1]]);
  });

  it('sends twenty messages of a minute one by one, and the rest as one summary', async () => {
    const { world, sent, failing } = await notifying();
    for (let index = 0; index < 60; index++) {
      failing.add(`job-${index}`);
      await world.create(everyMinute(`job-${index}`));
    }
    await world.run(4 * MINUTE_MS);
    expect(sent).toHaveLength(21);
    expect(sent.filter(({ kind }) => kind === 'failed')).toHaveLength(20);
    expect(sent.at(-1)).toMatchObject({ kind: 'summary', headline: '40 more messages in one minute' });
  });

  it('tells of no child that a run starts an hour in, and that is quick then', async () => {
    const { world, sent } = await notifying({ on: ['late'], lateAfter: '30m' });
    const byDefault = world.behaviour;
    world.behaviour = async (call, signal, clock) => {
      await clock.sleep(2 * MINUTE_MS, signal);
      return byDefault(call, signal, clock);
    };
    const target = { type: 'http', url: 'https://example.com/', timeout: '4m' };
    await world.api('putJob', { jobId: 'child' }, { schedule: { type: 'none' }, target });
    const tasks = { wait: { delay: '45m' }, go: { job: 'child', dependsOn: ['wait'] } };
    await world.api('putJob', { jobId: 'etl' }, { schedule: { type: 'none' }, workflow: { tasks } });
    expect((await world.api('runJob', { jobId: 'etl' }, {})).status).toBe(202);
    await world.run(55 * MINUTE_MS);
    const child = { userId: 'alice', jobId: 'child' };
    expect(world.executions(child)).toMatchObject([{ status: 'succeeded' }]);
    expect(sent).toEqual([]);
  });

  it('tells of an execution that is late, when it is, and of its end', async () => {
    const { world, sent } = await notifying({ on: ['late', 'recovered'], lateAfter: '90s' });
    const byDefault = world.behaviour;
    world.behaviour = async (call, signal, clock) => {
      const isJob = sent.length === 0 && call.attempt === 1;
      if (isJob) await clock.sleep(3 * MINUTE_MS, signal);
      return byDefault(call, signal, clock);
    };
    const at = new Date(world.clock.nowMs() + MINUTE_MS).toISOString();
    const job = await world.create(
      aJob({ jobId: 'slow', schedule: { type: 'at', at }, target: aTarget({ timeout: '10m' }) }),
    );
    await world.run(8 * MINUTE_MS);
    expect(kinds(sent)).toEqual([
      ['late', 'slow', 1],
      ['recovered', 'slow', 1],
    ]);
    const { dueAtMs } = world.executions(job)[0]!;
    expect(sent[0]!.atMs - dueAtMs).toBeGreaterThanOrEqual(90 * SECOND_MS);
    expect(sent[0]!.atMs - dueAtMs).toBeLessThanOrEqual(120 * SECOND_MS);
  });

  it('costs ordinary successes no write, and no read beyond two lists a sweep', async () => {
    const callsOf = async (world: PipelineWorld) => {
      await world.run(MINUTE_MS - (world.clock.nowMs() % MINUTE_MS));
      const calls: string[] = [];
      world.onCall = (stage, { command }) => calls.push(`${stage} ${command}`);
      await world.create(everyMinute('backup'));
      await world.run(10 * MINUTE_MS);
      const count = (of: string) => calls.filter((call) => call === of).length;
      const reads = count('sweeper QueryCommand') + count('sweeper GetCommand');
      return { reads, other: calls.filter((call) => !/^sweeper (?:Query|Get)Command$/.test(call)).length };
    };
    const without = await callsOf(await PipelineWorld.started(1));
    const { world, sent } = await notifying();
    const withOne = await callsOf(world);
    expect(sent).toEqual([]);
    expect(withOne.other).toBe(without.other);
    expect(withOne.reads - without.reads).toBeLessThanOrEqual(3 * 10);
    expect(withOne.reads).toBeGreaterThan(without.reads);
  });
});

describe('a sweeper that dies while it tells', () => {
  it('loses no message and sends none twice, wherever it dies', async () => {
    let kills = 0;
    for (let victim = 1; ; victim++) {
      const { world, sent, failing } = await notifying({ minInterval: '1h' });
      failing.add('backup');
      await world.create(everyMinute('backup'));
      let calls = 0;
      let killed = false;
      const isTelling = (call: { input: unknown }) => /#alert|~n-/.test(JSON.stringify(call.input));
      world.onCall = (stage, call, kill) => {
        if (stage !== 'sweeper' || !isTelling(call)) return;
        calls += 1;
        if (calls !== victim) return;
        killed = true;
        kill();
      };
      await world.run(4 * MINUTE_MS);
      failing.clear();
      await world.run(4 * MINUTE_MS);
      expect({ victim, sent: sent.map(({ kind }) => kind) }).toEqual({
        victim,
        sent: ['failed', 'recovered'],
      });
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(10);
  });

  it.each(['failed', 'succeeded', 'been skipped'] as const)(
    'files the message that a job is late if its execution has since %s',
    async (end) => {
      let filed = 0;
      for (let victim = 1; ; victim++) {
        const { world, sent } = await notifying({
          on: end === 'failed' ? ['late', 'failed'] : ['late'],
          lateAfter: '90s',
          minInterval: '1h',
        });
        let calls = 0;
        let killed = false;
        let decided = false;
        world.onCall = (stage, { command, input }, kill) => {
          const text = JSON.stringify(input);
          if (stage !== 'sweeper' || killed || !/#alert|~n-/.test(text)) return;
          calls += 1;
          killed = calls === victim;
          if (killed) kill();
          else decided ||= command === 'UpdateCommand' && text.includes('#alert#ops#slow');
        };
        const byDefault = world.behaviour;
        world.behaviour = async (call, signal, clock) => {
          const isMessage = call.execId.includes('-'); // a manual run
          if (isMessage) return byDefault(call, signal, clock);
          for (let second = 0; second < 240 && !killed; second++) await clock.sleep(SECOND_MS, signal);
          if (end === 'been skipped') {
            await world.api('deleteJob', { jobId: 'slow' });
            return { outcome: 'retriable', statusCode: 503 }; // no retry follows
          }
          return end === 'failed' ? GONE : byDefault(call, signal, clock);
        };
        const at = new Date(world.clock.nowMs() + MINUTE_MS).toISOString();
        const target = aTarget({ timeout: '10m' });
        await world.create(aJob({ jobId: 'slow', schedule: { type: 'at', at }, target }));
        await world.run(8 * MINUTE_MS);
        const undecided = end === 'failed' ? ['failed'] : [];
        expect({ victim, sent: sent.map(({ kind }) => kind) }).toEqual({
          victim,
          sent: decided ? ['late'] : undecided,
        });
        if (decided) filed += 1;
        if (!killed) break;
      }
      expect(filed).toBeGreaterThan(3);
    },
  );
});

describe('a job with onEnd or pauseAfter', () => {
  it('calls the target of each end once, and pays nothing without', async () => {
    const { world, failing } = await notifying();
    const seen: string[] = [];
    const byNotification = world.observe!;
    world.observe = (delivery, target) => {
      byNotification(delivery, target);
      const jobId = delivery.headers['quarterjack-job']!;
      if (!jobId.startsWith('~') || jobId.startsWith('~n-')) return;
      const body = JSON.parse(delivery.body.toString()) as { execution: { status: string } };
      seen.push(`${jobId} ${body.execution.status}`);
    };
    failing.add('backup');
    const target = aTarget({ url: 'https://example.com/end' });
    await world.create(everyMinute('backup', { onEnd: { succeeded: target, failed: target } }));
    await world.run(3 * MINUTE_MS);
    failing.clear();
    await world.run(2 * MINUTE_MS);
    expect(seen).toEqual(['~f-backup failed', '~f-backup failed', '~f-backup failed', '~s-backup succeeded']);
    const history = await world.api('listExecutions', { jobId: '~f-backup' });
    expect((history.body as { items: unknown[] }).items).toHaveLength(3);
  });

  it('is paused by the system after so many failures in a row, and a notification says so', async () => {
    const { world, sent, failing } = await notifying({ minInterval: '1h' });
    failing.add('backup');
    const job = await world.create(everyMinute('backup', { pauseAfter: { failures: 3 } }));
    await world.run(8 * MINUTE_MS);
    const paused = await world.api('getJob', { jobId: 'backup' });
    expect(paused.body).toMatchObject({ status: 'paused', by: { sub: 'pauseAfter', via: 'system' } });
    const ended = world.executions(job).filter(({ status }) => status === 'failed');
    expect(ended.length).toBeLessThanOrEqual(4);
    expect(sent.map(({ kind }) => kind)).toEqual(['failed', 'paused']);
    const changes = await world.api('listJobChanges', { jobId: 'backup' });
    expect((changes.body as { items: { what: string }[] }).items[0]).toMatchObject({ what: 'paused' });
    failing.clear();
    await world.api('resumeJob', { jobId: 'backup' });
    await world.run(3 * MINUTE_MS);
    expect((await world.api('getJob', { jobId: 'backup' })).body).toMatchObject({ status: 'active' });
  });
});

describe('the hidden job of a notification', () => {
  it('is in no list, cannot be written, and its executions can be read', async () => {
    const { world, failing } = await notifying();
    failing.add('backup');
    await world.create(everyMinute('backup'));
    await world.run(3 * MINUTE_MS);
    const list = await world.api('listJobs');
    expect((list.body as { items: { jobId: string }[] }).items.map(({ jobId }) => jobId)).toEqual(['backup']);
    const params = { jobId: '~n-ops' };
    for (const operation of ['getJob', 'deleteJob', 'runJob', 'pauseJob', 'listUpcoming'] as const)
      expect((await world.api(operation, params)).status).toBe(404);
    const history = await world.api('listExecutions', params);
    const [execution] = (history.body as { items: { execId: string; status: string }[] }).items;
    expect(execution).toMatchObject({ jobId: '~n-ops', status: 'succeeded', trigger: 'manual' });
    const { execId } = execution!;
    expect((await world.api('getExecution', { ...params, execId })).status).toBe(200);
    expect((await world.api('retryExecution', { ...params, execId })).status).toBe(404);
    expect(await world.audit()).toMatchObject({ jobs: 1, complete: true });
  });
});
