import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { Metric } from '../../../../lambdas/core/contracts/metrics';
import { lifecycleEvent } from '../../../../lambdas/core/events/lifecycle-event';
import { batchedEvents } from '../../../../lambdas/core/events/batched-events';
import { eventBus } from '../../../../lambdas/core/platform/event-bus';
import { T0_MS } from '../../../support/factories';
import { FakeClock } from '../../../support/fake-clock';
import { RecordingLog } from '../../../support/recording-log';
import { RecordingMeter } from '../../../support/recording-meter';
import { mockedClient } from '../../../support/mocked-client';

const bus = mockedClient(EventBridgeClient);
beforeEach(() => {
  bus.reset();
  bus.on(PutEventsCommand).callsFake(({ Entries }) => ({ Entries: Entries.map(() => ({ EventId: 'e' })) }));
});

const anEvent = (number: number) =>
  lifecycleEvent(
    {
      jobKey: 'alice/report',
      execId: `20261201T083000.000Z-${number}`,
      dueAtMs: T0_MS,
      status: 'failed',
      reason: 'fatal',
      finishedAtMs: T0_MS,
      fence: 1,
    },
    'failures',
  )!;

function make() {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const meter = new RecordingMeter();
  const events = batchedEvents({ putEvents: eventBus('bus', new EventBridgeClient({})), clock, log, meter });
  const sent = () => bus.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries!);
  return { clock, log, meter, events, sent };
}

test('events wait for company for a second at the most', async () => {
  const { clock, events, sent } = make();
  events.put(anEvent(1));
  await clock.advance(600);
  events.put(anEvent(2));
  expect(sent()).toEqual([]);
  await clock.advance(500);
  expect(sent().map((entries) => entries.length)).toEqual([2]);
  expect(sent()[0]![0]).toMatchObject({
    EventBusName: 'bus',
    Source: 'quarterjack',
    DetailType: 'execution.failed',
    Time: new Date(T0_MS),
  });
  expect(JSON.parse(sent()[0]![0]!.Detail!)).toMatchObject({ version: 1, userId: 'alice', jobId: 'report' });
});

test('ten go at once, and the end of the invocation waits for the rest and leaves no timer', async () => {
  const { clock, events, sent } = make();
  for (let number = 0; number < 23; number++) events.put(anEvent(number));
  expect(sent().map((entries) => entries.length)).toEqual([10, 10]);
  await events.flush();
  expect(sent().map((entries) => entries.length)).toEqual([10, 10, 3]);
  expect(clock.sleeping).toBe(0);
  await events.flush();
  expect(sent()).toHaveLength(3);
});

test('what the bus does not take is sent again, alone', async () => {
  const { events, sent, log } = make();
  bus
    .on(PutEventsCommand)
    .resolvesOnce({ Entries: [{ EventId: 'e' }, { ErrorCode: 'ThrottlingException' }] })
    .resolves({ Entries: [{ EventId: 'e' }] });
  events.put(anEvent(1));
  events.put(anEvent(2));
  await events.flush();
  expect(sent().map((entries) => entries.length)).toEqual([2, 1]);
  expect(log.lines).toEqual([]);
});

test('a missing bus loses events, which are counted and logged, and stops no stage', async () => {
  const { events, sent, meter, log } = make();
  bus.on(PutEventsCommand).rejects(new Error('no such bus'));
  events.put(anEvent(1));
  await expect(events.flush()).resolves.toBeUndefined();
  expect(sent()).toHaveLength(3);
  expect(meter.total(Metric.eventsLost)).toBe(1);
  expect(log.messages('error')).toEqual(['lifecycle events dropped']);
});
