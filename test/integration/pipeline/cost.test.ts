import { billOf, costLineOf, idleMonth, provisionedBillOf } from '../../../bench/cost/bill';
import { idleHour, type ScenarioName, SCENARIOS, unclaimed } from '../../../bench/cost/scenarios';
import { perMillionPings } from '../../../cli/cost/month';
import small from '../../../config/small.json';
import { type LaneQueues, queuedLanes } from '../../../lambdas/core/contracts/pools';

/** Counted through the real stages, so exact: a figure that changes here changes a user's bill. */
const costs: [
  ScenarioName,
  { writeUnits: number; readUnits: number; sqsRequests: number; sdkCalls: number },
][] = [
  ['oneTime', { writeUnits: 4, readUnits: 2.1, sqsRequests: 0.3, sdkCalls: 4.2 }],
  ['recurringFire', { writeUnits: 3, readUnits: 2.1, sqsRequests: 0.3, sdkCalls: 2.25 }],
  ['subMinuteFire', { writeUnits: 2.167, readUnits: 1.6, sqsRequests: 0.3, sdkCalls: 2.217 }],
  ['delayedRun', { writeUnits: 5, readUnits: 3.2, sqsRequests: 0.3, sdkCalls: 7.2 }],
  ['retry', { writeUnits: 3, readUnits: 1.425, sqsRequests: 1.4, sdkCalls: 5.1 }],
  ['skipped', { writeUnits: 4, readUnits: 7.1, sqsRequests: 0.3, sdkCalls: 8.15 }],
  ['heartbeat', { writeUnits: 1, readUnits: 0, sqsRequests: 0, sdkCalls: 1 }],
  ['workerFire', { writeUnits: 6, readUnits: 6.95, sqsRequests: 0.3, sdkCalls: 10.25 }],
  ['workerUnclaimed', { writeUnits: 9, readUnits: 12.25, sqsRequests: 0.3, sdkCalls: 18.1 }],
  ['workflow', { writeUnits: 22.2, readUnits: 14.1, sqsRequests: 6.3, sdkCalls: 30.4 }],
  ['workflowRun', { writeUnits: 6.95, readUnits: 5.225, sqsRequests: 2.25, sdkCalls: 10.825 }],
  ['workflowTask', { writeUnits: 3, readUnits: 2, sqsRequests: 1.2, sdkCalls: 4.2 }],
  ['fanOutItem', { writeUnits: 2.08, readUnits: 1.2, sqsRequests: 0.3, sdkCalls: 3.38 }],
  ['monitorPing', { writeUnits: 2, readUnits: 7.1, sqsRequests: 0, sdkCalls: 7.05 }],
  ['monitorStartEnd', { writeUnits: 3, readUnits: 10.1, sqsRequests: 0, sdkCalls: 11.05 }],
  ['monitorMissed', { writeUnits: 3, readUnits: 7.1, sqsRequests: 0, sdkCalls: 7.05 }],
  ['monitorFailure', { writeUnits: 3, readUnits: 7.1, sqsRequests: 0, sdkCalls: 7.05 }],
  ['projectPing', { writeUnits: 2, readUnits: 7.1, sqsRequests: 0, sdkCalls: 7.05 }],
  ['repeatedPing', { writeUnits: 0, readUnits: 3, sqsRequests: 0, sdkCalls: 3 }],
  ['pingBody', { writeUnits: 3, readUnits: 1, sqsRequests: 0, sdkCalls: 5 }],
  ['madeMonitor', { writeUnits: 7, readUnits: 7, sqsRequests: 0, sdkCalls: 14 }],
  ['slowMessage', { writeUnits: 9, readUnits: 3.1, sqsRequests: 1.2, sdkCalls: 10.1 }],
  ['quickMessage', { writeUnits: 9, readUnits: 3.1, sqsRequests: 1.2, sdkCalls: 10.1 }],
  ['incident', { writeUnits: 17, readUnits: 24.25, sqsRequests: 2.4, sdkCalls: 38.2 }],
  ['openIncident', { writeUnits: 0.667, readUnits: 4.333, sqsRequests: 0, sdkCalls: 4.667 }],
  ['tokenQuestion', { writeUnits: 0, readUnits: 0, sqsRequests: 0, sdkCalls: 0 }],
  ['keyQuestion', { writeUnits: 0, readUnits: 1, sqsRequests: 0, sdkCalls: 1 }],
  ['idleHour4', { writeUnits: 186, readUnits: 1605, sqsRequests: 960, sdkCalls: 2904 }],
  ['idleHour16', { writeUnits: 306, readUnits: 5475, sqsRequests: 960, sdkCalls: 8784 }],
];

/** Each scenario is played once: its totals are exact. */
const played = new Map<ScenarioName, ReturnType<(typeof SCENARIOS)[ScenarioName]>>();
function totalsOf(name: ScenarioName) {
  const totals = played.get(name) ?? SCENARIOS[name]();
  played.set(name, totals);
  return totals;
}

test.each(costs)('%s costs what it did', async (name, cost) => {
  expect(costLineOf(await totalsOf(name))).toMatchObject(cost);
});

test.each(['watchedFire', 'boundedFire'] as const)(
  '%s: a success costs the same in a project with notifications, incidents and monitors',
  async (name) => {
    const { writeUnits, readUnits, sqsRequests, sdkCalls } = costLineOf(await totalsOf('recurringFire'));
    expect(costLineOf(await totalsOf(name))).toMatchObject({ writeUnits, readUnits, sqsRequests, sdkCalls });
  },
);

test.each(['tracedOneTime', 'tracedWithState'] as const)(
  '%s costs what it does without a trace',
  async (name) => {
    const { sdkCalls, ...line } = costLineOf(await totalsOf('oneTime'));
    expect(costLineOf(await totalsOf(name))).toMatchObject({ ...line, sdkCalls });
  },
);

test('a million pings cost what the command line says', async () => {
  expect(billOf(await totalsOf('monitorPing'), 1_000_000).total).toBeCloseTo(perMillionPings(), 2);
});

test('two run tags and an external id cost a write each, and no end waits for them', async () => {
  const [with_, labelled] = [await totalsOf('journaledFire'), await totalsOf('labelledFire')];
  expect(labelled.writeUnits - with_.writeUnits).toBeCloseTo(3, 1);
});

test('without the journal, an end costs nothing more; with it, a part of one write', async () => {
  const [without, with_] = [await totalsOf('recurringFire'), await totalsOf('journaledFire')];
  const more = with_.writeUnits - without.writeUnits;
  expect(more).toBeGreaterThan(0);
  expect(more).toBeLessThanOrEqual(0.05);
});

test('spans of an execution cost no write, and about half a read', async () => {
  const [without, with_] = [await totalsOf('recurringFire'), await totalsOf('recordedFire')];
  expect(with_.writeUnits).toBe(without.writeUnits);
  expect(with_.readUnits - without.readUnits).toBeGreaterThan(0);
  expect(with_.readUnits - without.readUnits).toBeLessThanOrEqual(0.55);
});

test.each([
  ['packedFire1', 3, 3],
  ['packedFire3', 2.3, 2.4],
  ['packedFire10', 2.1, 2.2],
  ['packedFire30', 2, 2.1],
] as const)(
  '%s: with packs, the writes of a fire fall by how many share a slot',
  async (name, least, most) => {
    const { writeUnits, readUnits } = await totalsOf(name);
    expect(writeUnits).toBeGreaterThanOrEqual(least);
    expect(writeUnits).toBeLessThanOrEqual(most);
    expect(readUnits).toBeLessThanOrEqual((await totalsOf('recurringFire')).readUnits + 0.001);
  },
);

test('an execution that waits three hours for a worker costs what one of ten minutes does', async () => {
  const [short, long] = [costLineOf(await totalsOf('workerUnclaimed')), costLineOf(await unclaimed('3h'))];
  expect(long).toEqual(short);
});

test('under a steady load, a million recurring runs on provisioned tables cost at most $1.10', async () => {
  expect(provisionedBillOf(await totalsOf('recurringFire'), 1_000_000).total).toBeLessThan(1.1);
});

test('a month without a job is billed at most two and a half dollars, what Lambda polls for nothing included', async () => {
  const { total, listed, billed } = idleMonth(await totalsOf('idleHour4'));
  expect(total).toBeLessThan(0.7);
  expect(listed).toBeLessThan(3.1);
  expect(billed).toBeLessThan(2.5);
});

test('a month of the stage small without a job is billed less than two dollars, its secret included', async () => {
  const A_SECRET = 0.4;
  const queues = queuedLanes(small.laneQueues as LaneQueues).length + 2;
  const { listed, billed } = idleMonth(await idleHour(small.shardCount), queues);
  expect(billed + A_SECRET).toBeLessThan(1.5);
  expect(listed + A_SECRET).toBeLessThan(2.05);
});
