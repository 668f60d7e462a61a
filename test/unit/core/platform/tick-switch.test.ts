import {
  GetScheduleCommand,
  type GetScheduleCommandOutput,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';

import { tickSwitch } from '../../../../lambdas/core/platform/tick-switch';
import { mockedClient } from '../../../support/mocked-client';

const scheduler = mockedClient(SchedulerClient);
beforeEach(() => scheduler.reset());

/** Every field that a schedule can have. */
const DEFINITION = {
  Name: 'tick',
  GroupName: 'default',
  Description: 'ticks',
  ScheduleExpression: 'rate(1 minute)',
  ScheduleExpressionTimezone: 'UTC',
  StartDate: new Date(1_000),
  EndDate: new Date(2_000),
  KmsKeyArn: 'arn:key',
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  ActionAfterCompletion: 'NONE' as const,
  Target: {
    Arn: 'arn:function',
    RoleArn: 'arn:role',
    Input: '{"kind":"scan"}',
    RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 },
  },
};
const stands = (State: 'ENABLED' | 'DISABLED'): void => {
  scheduler.on(GetScheduleCommand).resolves({
    ...DEFINITION,
    State,
    Arn: 'arn:schedule',
    CreationDate: new Date(0),
    LastModificationDate: new Date(0),
    $metadata: {},
  } satisfies GetScheduleCommandOutput);
};
const updates = () => scheduler.commandCalls(UpdateScheduleCommand).map(({ args }) => args[0].input);
const make = () => tickSwitch('tick', new SchedulerClient({}));

test.each([
  ['off', 'ENABLED', 'DISABLED'],
  ['on', 'DISABLED', 'ENABLED'],
] as const)(
  'turned %s, the schedule gets back every field that it had, and another state',
  async (to, from, State) => {
    stands(from);
    await make().set(to);
    expect(updates()).toEqual([{ ...DEFINITION, State }]);
  },
);

test('what is so already is left alone', async () => {
  stands('ENABLED');
  expect(await make().state()).toBe('on');
  await make().set('on');
  stands('DISABLED');
  expect(await make().state()).toBe('off');
  await make().set('off');
  expect(updates()).toEqual([]);
});
