import { MINUTE_MS } from '../../../lambdas/core/clock/clock';
import { killBetween, rowsPut } from '../../support/kill-between';
import { putNotification } from '../../support/notified-world';
import { PipelineWorld } from '../../support/pipeline-world';
import type { Call } from '../../support/dynamo/memory-dynamo';

interface Message {
  notification: string;
  kind: string;
  headline: string;
  calendar: object;
  url: string;
}

/** A world that begins on 2026-12-01, and what the targets of its notifications are sent. */
async function observed() {
  const world = await PipelineWorld.started();
  const sent: Message[] = [];
  world.observe = (delivery) => {
    if (delivery.headers['quarterjack-job']!.startsWith('~n-'))
      sent.push(JSON.parse(delivery.body.toString()) as Message);
  };
  const settle = (answer: ReturnType<PipelineWorld['api']>) => world.clock.settle(answer);
  const put = (calendarId: string, ...dates: string[]) =>
    settle(world.api('putCalendar', { calendarId }, { name: 'Holidays', dates, weekdays: ['SUN'] }));
  const job = async (jobId: string, calendar: string, more: object = {}) => {
    const schedule = { type: 'cron', expression: '0 9 * * *', exclude: [{ calendar }] };
    const target = { type: 'http', url: 'https://example.com/hook' };
    const answer = await settle(world.api('createJob', {}, { jobId, schedule, target, ...more }));
    expect(answer.status).toBe(201);
  };
  /** A pass of the auditor, and time for its messages. */
  const audited = async () => {
    await world.clock.settle(world.audit());
    await world.run(MINUTE_MS);
  };
  return { world, sent, put, job, audited };
}

/** Writes of the mark of a calendar, of its end, and of a message. */
const marks = (call: Call) => rowsPut(call, 'jobs').some(({ notifiedEnd }) => notifiedEnd !== undefined);
const isDone = (call: Call) =>
  rowsPut(call, 'jobs').some(
    ({ notifiedEnd }) => (notifiedEnd as { isDone?: true } | undefined)?.isDone === true,
  );
const files = (call: Call) => call.command.startsWith('Put') && call.input.TableName === 'executions';

describe('a calendar that ends', () => {
  test('is told a month before, once for each end, to the notifications that ask for it', async () => {
    const { world, sent, put, job, audited } = await observed();
    await putNotification(world, 'ops', { on: ['calendar-ends'] });
    await putNotification(world, 'other', { on: ['failed'] });
    await put('de', '2026-12-25', '2026-12-26');
    await job('report', 'de');
    await audited();
    await audited();
    expect(sent).toEqual([
      expect.objectContaining({
        notification: 'ops',
        kind: 'calendar-ends',
        headline: 'Calendar de knows nothing after 2026-12-26',
        calendar: { calendarId: 'de', name: 'Holidays', knownUntil: '2026-12-26', jobs: ['report'] },
        url: 'https://api.test/console/calendars/de?project=alice',
      }),
    ]);
    await put('de', '2026-12-24', '2026-12-26');
    await audited();
    expect(sent).toHaveLength(1);
    await put('de', '2026-12-25', '2026-12-31');
    await audited();
    await audited();
    expect(sent.map(({ headline }) => headline)).toEqual([
      'Calendar de knows nothing after 2026-12-26',
      'Calendar de knows nothing after 2026-12-31',
    ]);
    expect(world.errors()).toEqual([]);
  });

  test('is not told while its end is further away, and only if a job uses it', async () => {
    const { world, sent, put, job, audited } = await observed();
    await putNotification(world, 'ops', { on: ['calendar-ends'] });
    await put('far', '2027-01-01');
    await put('unused', '2026-12-26');
    await job('report', 'far');
    await audited();
    expect(sent).toEqual([]);
    await job('late', 'unused');
    await audited();
    expect(sent.map(({ calendar }) => calendar)).toEqual([
      expect.objectContaining({ calendarId: 'unused', jobs: ['late'] }),
    ]);
  });

  test('names the jobs of the filter alone, and waits for a notification that tells of it', async () => {
    const { world, sent, put, job, audited } = await observed();
    await put('de', '2026-12-26');
    await job('one', 'de', { tags: { team: 'billing' } });
    await job('two', 'de');
    await audited();
    expect(sent).toEqual([]);
    await putNotification(world, 'billing', { on: ['calendar-ends'], filter: { tag: 'team:billing' } });
    await putNotification(world, 'sales', { on: ['calendar-ends'], filter: { tag: 'team:sales' } });
    await world.run(MINUTE_MS);
    await audited();
    expect(sent.map(({ notification, calendar }) => [notification, calendar])).toEqual([
      ['billing', expect.objectContaining({ jobs: ['one'] })],
    ]);
  });

  test.each([
    ['its mark and its message', marks, files],
    ['its message and the end', files, isDone],
  ])('is told once if the auditor dies between %s', async (_, first, second) => {
    const { world, sent, put, job, audited } = await observed();
    await putNotification(world, 'ops', { on: ['calendar-ends'] });
    await put('de', '2026-12-26');
    await job('report', 'de');
    const wasKilled = killBetween(world, 'auditor', [first, second]);
    void world.audit();
    await world.run(5 * MINUTE_MS);
    expect(wasKilled()).toBe(true);
    world.onCall = undefined;
    await audited();
    await audited();
    expect(sent).toHaveLength(1);
  });
});

test('a list of calendars says where each ends', async () => {
  const { world, put } = await observed();
  await put('de', '2026-12-25', '2026-12-26');
  await put('weekends');
  const { body } = await world.api('listCalendars', {});
  expect(body).toMatchObject({
    items: [{ calendarId: 'de', knownUntil: '2026-12-26' }, { calendarId: 'weekends' }],
  });
  expect((body as { items: object[] }).items[1]).not.toHaveProperty('knownUntil');
});
