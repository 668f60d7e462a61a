import { type Shown, StandIn, type StandInDeps, type ToEnd } from '../stand-in';
import {
  type EndEvent,
  type MachineEnd,
  type MachineExecution,
  type ServiceWays,
  STATE_MACHINES,
} from './execution';
import { type Script, scriptOf } from './scripts';

interface ExecutionDeps extends StandInDeps<Script> {
  /** @default those of Step Functions */
  ways?: ServiceWays;
}

type Started = { execution: MachineExecution; isNew: boolean } | { alreadyExists: string };

/** The executions of state machines, or of durable functions. */
export class MachineExecutions extends StandIn<MachineExecution, Script> {
  private readonly ways: ServiceWays;

  constructor({ ways = STATE_MACHINES, ...deps }: ExecutionDeps) {
    super(deps);
    this.ways = ways;
  }

  /** A name is used once. The same start again is the running execution. */
  start(machineArn: string, name: string, input: string): Started {
    const arn = this.ways.arnOf(machineArn, name);
    const known = this.byArn.get(arn);
    if (known)
      return this.ways.isSame(known, input) ? { execution: known, isNew: false } : { alreadyExists: arn };
    const { lastsMs, ends } = scriptOf(this.deps.scripts, machineArn);
    const startedMs = this.deps.clock.nowMs();
    const execution: MachineExecution = {
      ...{ arn, machineArn, name, input, startedMs },
      endsMs: startedMs + lastsMs,
      ends: this.nextEnd(machineArn, ends),
      status: 'RUNNING',
      delivery: 'once',
    };
    this.begin(execution);
    return { execution, isNew: true };
  }

  get(arn: string): MachineExecution | undefined {
    return this.byArn.get(arn);
  }

  /** Ends a running execution now; one that has ended stays as it is. Undefined: there is none. */
  end(
    arn: string,
    status: MachineEnd,
    why: { error?: string; cause?: string } = {},
  ): MachineExecution | undefined {
    return this.finish(arn, { ...why, status });
  }

  protected scriptNameOf({ machineArn }: MachineExecution): string {
    return machineArn;
  }

  protected endByScript({ arn, ends }: MachineExecution): void {
    const isGood = ends === 'SUCCEEDED';
    this.end(arn, ends, isGood ? {} : { error: 'StandIn', cause: 'ended as its script says' });
  }

  protected shown({ machineArn, name, input, cause }: MachineExecution): Shown {
    return { of: machineArn.split(':').slice(6).join(':'), name, input, cause };
  }

  protected endBy(arn: string, act: ToEnd): MachineExecution | undefined {
    if (act === 'interrupt it') return undefined;
    return act === 'end well'
      ? this.end(arn, 'SUCCEEDED')
      : this.end(arn, 'FAILED', { error: 'StandIn', cause: 'ended by hand' });
  }

  protected endsBy(): readonly ToEnd[] {
    return ['end well', 'end badly'];
  }

  protected eventOf(execution: MachineExecution, id: string): EndEvent {
    return this.ways.eventOf(execution, id);
  }
}
