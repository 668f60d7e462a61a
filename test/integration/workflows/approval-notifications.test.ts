import type { Call } from '../../support/dynamo/memory-dynamo';
import { killBetween, putsAttemptEntry, rowsPut } from '../../support/kill-between';
import { ask } from '../../support/run-requests';
import { WorkflowWorld } from '../../support/workflow-world';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

interface Message {
  kind: string;
  headline: string;
  approval: { execId: string; taskId: string; note: string | null; since: string; until: string };
  url: string;
}

const APPROVAL = { target: null, approval: { timeout: '3h', note: 'Release {{ run.day }} to <prod>?' } };

/** A world with a notification `ops` of approvals, and what its target is sent. */
async function notifying(definition: object = {}) {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  const body = { on: ['waiting-approval'], target, ...definition };
  expect((await world.clock.settle(world.api('putNotification', { id: 'ops' }, body))).status).toBe(201);
  const sent: { atMs: number; body: Message }[] = [];
  const byFlow = world.observe!;
  world.observe = (delivery, to) => {
    byFlow(delivery, to);
    if (delivery.headers['quarterjack-job'] !== '~n-ops') return;
    sent.push({ atMs: world.clock.nowMs(), body: JSON.parse(delivery.body.toString()) as Message });
  };
  return { flow, sent };
}

const tasksIn = (sent: readonly { body: Message }[]) => sent.map(({ body }) => body.approval.taskId);

/** A write of the row by which an approval is listed. */
const lists = (call: Call) => rowsPut(call, 'executions').some(({ waits }) => waits !== undefined);

describe('a notification of approvals', () => {
  test('tells of each approval once, however often it is rechecked, and of the next one soon', async () => {
    const { flow, sent } = await notifying();
    await flow.save({
      release: APPROVAL,
      wait: { target: null, delay: '50m' },
      ship: { ...APPROVAL, dependsOn: ['wait'] },
    });
    const execId = await flow.run();
    await flow.world.run(45 * MINUTE_MS);
    expect(sent.map(({ body }) => body)).toEqual([
      expect.objectContaining({
        kind: 'waiting-approval',
        headline: 'Job etl waits for an approval',
        job: { jobId: 'etl', name: null },
        approval: expect.objectContaining({
          execId,
          taskId: 'release',
          note: 'Release 2026-12-01 to &lt;prod&gt;?',
        }),
        url: expect.stringMatching(
          /^https:\/\/api\.test\/console\/jobs\/etl\/executions\/[^/]*\?project=alice$/,
        ),
      }),
    ]);
    const { since, until } = sent[0]!.body.approval;
    expect(Date.parse(until) - Date.parse(since)).toBe(180 * MINUTE_MS);
    await flow.world.run(10 * MINUTE_MS);
    expect(tasksIn(sent)).toEqual(['release', 'ship']);
    for (const { atMs, body } of sent)
      expect(atMs - Date.parse(body.approval.since)).toBeLessThanOrEqual(40 * SECOND_MS);
    expect(flow.world.errors()).toEqual([]);
  });

  test('tells of the next round of an approval', async () => {
    const { flow, sent } = await notifying();
    await flow.save({ release: APPROVAL });
    const execId = await flow.run();
    await flow.world.run(MINUTE_MS);
    await ask(flow, 'rejectTask', { execId, taskId: 'release' });
    await flow.world.run(MINUTE_MS);
    expect((await ask(flow, 'retryExecution', { execId })).status).toBe(202);
    await flow.world.run(2 * MINUTE_MS);
    expect(tasksIn(sent)).toEqual(['release', 'release']);
  });

  test('tells of nothing that was decided before its recheck, and of jobs with its tag alone', async () => {
    const { flow, sent } = await notifying({ filter: { tag: 'team:billing' } });
    await flow.save({ release: APPROVAL }, { tags: { team: 'billing' } });
    const execId = await flow.run();
    await flow.world.run(5 * SECOND_MS);
    await ask(flow, 'approveTask', { execId, taskId: 'release' });
    await flow.world.run(2 * MINUTE_MS);
    await flow.save({ release: APPROVAL }, { tags: { team: 'ops' } });
    await flow.run();
    await flow.world.run(2 * MINUTE_MS);
    expect(sent).toEqual([]);
  });

  test('costs approvals that it does not tell of no write', async () => {
    const writesWith = async (on: string[]) => {
      const { flow } = await notifying({ on });
      const calls: string[] = [];
      flow.world.onCall = (stage, { command }) => {
        if (/^(?:Put|Update|Delete|BatchWrite)/.test(command)) calls.push(`${stage} ${command}`);
      };
      await flow.save({ release: APPROVAL });
      await flow.run();
      await flow.world.run(5 * MINUTE_MS);
      return calls.length;
    };
    const without = await writesWith(['recovered']);
    expect(without).toBeGreaterThan(0);
    expect(await writesWith(['waiting-approval'])).toBeGreaterThan(without);
    expect(await writesWith(['failed', 'recovered'])).toBe(without);
  });
});

describe('a process that dies between an approval and its message', () => {
  test('die-between-entry-and-list: the recheck lists it, and tells it', async () => {
    const { flow, sent } = await notifying();
    await flow.save({ build: {}, release: { ...APPROVAL, dependsOn: ['build'] } });
    await flow.run();
    const wasKilled = killBetween(flow.world, 'executor', [putsAttemptEntry, lists]);
    await flow.world.run(5 * MINUTE_MS);
    expect(wasKilled()).toBe(true);
    expect(tasksIn(sent)).toEqual(['release']);
    expect((await ask(flow, 'listWaiting', {})).body.items).toHaveLength(1);
  });

  test('loses no message and sends none twice, wherever the sweeper dies', async () => {
    let kills = 0;
    for (let victim = 1; ; victim++) {
      const { flow, sent } = await notifying();
      await flow.save({ release: APPROVAL });
      let calls = 0;
      let killed = false;
      flow.world.onCall = (stage, call, kill) => {
        if (sent.length > 0 || stage !== 'sweeper' || !/#waiting|#alert|~n-/.test(JSON.stringify(call.input)))
          return;
        calls += 1;
        if (calls !== victim) return;
        killed = true;
        kill();
      };
      await flow.run();
      await flow.world.run(3 * MINUTE_MS);
      expect({ victim, sent: tasksIn(sent) }).toEqual({ victim, sent: ['release'] });
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  });
});
