import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { tickSwitch } from '../../../../lambdas/core/platform/tick-switch';
import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { scheduler } from '../../../../local/services/scheduler';
import { startSchedules } from '../../../../local/sources/schedules';
import type { ScheduleSpec } from '../../../../local/template/stack';

const NOW_MS = Date.UTC(2026, 10, 21, 10, 0, 30);
const DEFINITION = {
  Name: 'Stack-Scan',
  ScheduleExpression: 'rate(1 minute)',
  ScheduleExpressionTimezone: 'UTC',
  State: 'ENABLED',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: {
    Arn: 'arn:f',
    RoleArn: 'arn:r',
    Input: '{"kind":"scan"}',
    RetryPolicy: { MaximumRetryAttempts: 3 },
  },
} as const;
const SPEC: ScheduleSpec = {
  logicalId: 'Scan',
  name: 'Stack-Scan',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/Stack-Scan',
  groupArn: 'arn:g',
  roleArn: 'arn:r',
  functionArn: 'arn:f',
  expression: 'rate(1 minute)',
  timezone: 'UTC',
  input: '{"kind":"scan"}',
  enabled: true,
  definition: { ...DEFINITION },
};

async function withScheduler(work: (client: SchedulerClient) => Promise<void>): Promise<void> {
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  const schedules = startSchedules([SPEC], { clock: { nowMs: () => NOW_MS }, invoke: () => undefined });
  endpoint.serve(scheduler(schedules));
  const client = new SchedulerClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: callers.issue(),
  });
  try {
    await work(client);
  } finally {
    client.destroy();
    schedules.stop();
    await endpoint.stop();
  }
}

test('a schedule that is turned off and on again has its original definition', async () => {
  await withScheduler(async (client) => {
    const read = async () => {
      const { $metadata: _, ...schedule } = await client.send(new GetScheduleCommand({ Name: 'Stack-Scan' }));
      return schedule;
    };
    const before = await read();
    expect(before).toMatchObject(DEFINITION);
    const tick = tickSwitch('Stack-Scan', client);
    await tick.set('off');
    expect(await read()).toEqual({ ...before, State: 'DISABLED' });
    await tick.set('on');
    expect(await read()).toEqual(before);
  });
});

test('an update without a required field is rejected, and an unknown schedule is not found', async () => {
  await withScheduler(async (client) => {
    const { FlexibleTimeWindow: _, ...incomplete } = DEFINITION;
    await expect(client.send(new UpdateScheduleCommand(incomplete as never))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(client.send(new GetScheduleCommand({ Name: 'other' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});

test('a disabled schedule does not fire; enabled again, it fires at its next time', () => {
  jest.useFakeTimers({ now: NOW_MS });
  try {
    const fired: number[] = [];
    const clock = { nowMs: () => Date.now() };
    const schedules = startSchedules([SPEC], { clock, invoke: () => void fired.push(Date.now() - NOW_MS) });
    jest.advanceTimersByTime(60_000);
    schedules.replace(SPEC.name, { ...SPEC, enabled: false });
    jest.advanceTimersByTime(120_000);
    schedules.replace(SPEC.name, SPEC);
    jest.advanceTimersByTime(60_000);
    schedules.stop();
    expect(fired).toEqual([0, 60_000, 240_000]);
  } finally {
    jest.useRealTimers();
  }
});

test('an update needs permission to pass the role of the schedule', () => {
  const live = { get: () => SPEC, replace: () => undefined };
  const call = { action: 'UpdateSchedule', path: '/schedules/Stack-Scan', body: JSON.stringify(DEFINITION) };
  expect(scheduler(live).permissions(call as never)).toEqual([
    { action: 'scheduler:UpdateSchedule', resource: SPEC.arn },
    {
      action: 'iam:PassRole',
      resource: 'arn:r',
      context: { 'iam:passedtoservice': 'scheduler.amazonaws.com' },
    },
  ]);
});
