import * as z from 'zod';

import type { MachineExecution } from '../services/step-functions/execution';
import type { MachineExecutions } from '../services/step-functions/machine-executions';

const Act = z.strictObject({
  arn: z.string(),
  act: z.enum(['end well', 'end badly', 'lose the event', 'send it twice']),
});

export interface MachinePage {
  /** The executions of state machines, the newest first. */
  read(): { executions: MachineExecution[] };
  /** Does what a button says. Undefined: there is no such execution, or no such button. */
  act(body: unknown): MachineExecution | undefined;
}

const MAX_SHOWN = 500;

type Executions = Pick<MachineExecutions, 'list' | 'end' | 'deliver'>;

/** What `/_local/machines` shows, and its buttons. */
export function machinePage(executions: Executions): MachinePage {
  return {
    read: () => ({ executions: executions.list().slice(0, MAX_SHOWN) }),
    act(body) {
      const parsed = Act.safeParse(body);
      if (!parsed.success) return undefined;
      const { arn, act } = parsed.data;
      switch (act) {
        case 'end well':
          return executions.end(arn, 'SUCCEEDED');
        case 'end badly':
          return executions.end(arn, 'FAILED', { error: 'StandIn', cause: 'ended by hand' });
        case 'lose the event':
          return executions.deliver(arn, 'lost');
        case 'send it twice':
          return executions.deliver(arn, 'twice');
      }
    },
  };
}
