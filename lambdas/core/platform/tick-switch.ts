import {
  GetScheduleCommand,
  SchedulerClient,
  UpdateScheduleCommand,
  type UpdateScheduleCommandInput,
} from '@aws-sdk/client-scheduler';

import { handlerWith, MAX_ATTEMPTS } from './client-settings';

const SCHEDULER_TIMEOUT_MS = 5_000;

const schedulerClient = (): SchedulerClient =>
  new SchedulerClient({ maxAttempts: MAX_ATTEMPTS, requestHandler: handlerWith(SCHEDULER_TIMEOUT_MS) });

/**
 * The tick's schedule in EventBridge Scheduler. An update replaces the whole schedule, so it repeats every
 * field of a read and changes the state alone.
 */
export function tickSwitch(name: string, client: Pick<SchedulerClient, 'send'> = schedulerClient()) {
  const read = () => client.send(new GetScheduleCommand({ Name: name }));
  return {
    async state(): Promise<'on' | 'off'> {
      return (await read()).State === 'DISABLED' ? 'off' : 'on';
    },
    async set(to: 'on' | 'off'): Promise<void> {
      const {
        $metadata: _,
        Arn: _arn,
        CreationDate: _created,
        LastModificationDate: _changed,
        ...schedule
      } = await read();
      const state = to === 'on' ? 'ENABLED' : 'DISABLED';
      if (schedule.State === state) return;
      await client.send(
        new UpdateScheduleCommand({ ...schedule, State: state } as UpdateScheduleCommandInput),
      );
    },
  };
}
