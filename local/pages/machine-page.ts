import * as z from 'zod';

import { type EcsTask, stopOf } from '../services/ecs/task';
import type { EcsTasks } from '../services/ecs/tasks';
import type { MachineExecution } from '../services/step-functions/execution';
import type { MachineExecutions } from '../services/step-functions/machine-executions';

const TO_END = ['end well', 'end badly'] as const;
const ABOUT_EVENTS = ['lose the event', 'send it twice'] as const;

const Act = z.strictObject({
  arn: z.string(),
  act: z.enum([...TO_END, 'interrupt it', ...ABOUT_EVENTS]),
});
type Button = z.output<typeof Act>['act'];

/** What is the same for all that a stand-in does, and the buttons that it has. */
interface Shown {
  arn: string;
  /** Name of the state machine, or of the task definition. */
  of: string;
  name: string;
  input: string;
  startedMs: number;
  status: string;
  cause?: string | undefined;
  delivery: string;
  buttons: readonly Button[];
}

export interface MachinePage {
  /** Executions of state machines and durable functions, and tasks of ECS, the newest first. */
  read(): { executions: Shown[] };
  /** Does what a button says. Undefined: there is no such work, or no such button. */
  act(body: unknown): object | undefined;
}

const MAX_SHOWN = 500;

/** What has ended can have its event sent again, and nothing else. */
const buttonsOf = (isRunning: boolean, ...toEnd: Button[]): readonly Button[] =>
  isRunning ? [...TO_END, ...toEnd, ...ABOUT_EVENTS] : ['send it twice'];

const shownMachine = (execution: MachineExecution) => ({
  ...execution,
  of: execution.machineArn.split(':').slice(6).join(':'),
  buttons: buttonsOf(execution.status === 'RUNNING'),
});

const shownTask = ({
  arn,
  request,
  startedMs,
  status,
  stoppedReason,
  exitCode,
  delivery,
}: EcsTask): Shown => ({
  ...{ arn, startedMs, status, delivery },
  of: request.taskDefinition.split('/').at(-1)!,
  name: request.startedBy,
  input: JSON.stringify(request.overrides?.containerOverrides?.[0]?.environment ?? []),
  cause: exitCode === undefined ? stoppedReason : `exit ${exitCode}`,
  buttons: status === 'REFUSED' ? [] : buttonsOf(status === 'RUNNING', 'interrupt it'),
});

type Executions = Pick<MachineExecutions, 'list' | 'end' | 'deliver'>;
type Tasks = Pick<EcsTasks, 'list' | 'end' | 'deliver'>;

/** Those of several services as one. Each knows its own by their ARNs. */
const allOf = (services: readonly Executions[]): Executions => {
  const first = (ask: (one: Executions) => MachineExecution | undefined) => {
    for (const one of services) {
      const found = ask(one);
      if (found) return found;
    }
    return undefined;
  };
  return {
    list: () => services.flatMap((one) => one.list()),
    end: (...args) => first((one) => one.end(...args)),
    deliver: (...args) => first((one) => one.deliver(...args)),
  };
};

/** What `/_local/machines` shows, and its buttons. */
export function machinePage(services: readonly Executions[], tasks: Tasks): MachinePage {
  const executions = allOf(services);
  return {
    read: () => ({
      executions: [...executions.list().map(shownMachine), ...tasks.list().map(shownTask)]
        .sort((one, other) => other.startedMs - one.startedMs)
        .slice(0, MAX_SHOWN),
    }),
    act(body) {
      const parsed = Act.safeParse(body);
      if (!parsed.success) return undefined;
      const { arn, act } = parsed.data;
      return actOnMachine(executions, arn, act) ?? actOnTask(tasks, arn, act);
    },
  };
}

function actOnMachine(executions: Executions, arn: string, act: Button): object | undefined {
  switch (act) {
    case 'end well':
      return executions.end(arn, 'SUCCEEDED');
    case 'end badly':
      return executions.end(arn, 'FAILED', { error: 'StandIn', cause: 'ended by hand' });
    case 'interrupt it':
      return undefined;
    case 'lose the event':
      return executions.deliver(arn, 'lost');
    case 'send it twice':
      return executions.deliver(arn, 'twice');
  }
}

function actOnTask(tasks: Tasks, arn: string, act: Button): object | undefined {
  switch (act) {
    case 'end well':
      return tasks.end(arn, stopOf('exit-0'));
    case 'end badly':
      return tasks.end(arn, stopOf('exit-1'));
    case 'interrupt it':
      return tasks.end(arn, stopOf('spot'));
    case 'lose the event':
      return tasks.deliver(arn, 'lost');
    case 'send it twice':
      return tasks.deliver(arn, 'twice');
  }
}
