import type { Clock } from '../../machine/clock';
import {
  type Delivery,
  type EndEvent,
  type MachineEnd,
  type MachineExecution,
  type ServiceWays,
  STATE_MACHINES,
} from './execution';
import { openExecutionFile } from './execution-file';
import { type Script, scriptOf } from './scripts';

interface ExecutionDeps {
  clock: Clock;
  newId(): string;
  scripts: readonly Script[];
  /** @default those of Step Functions */
  ways?: ServiceWays;
  /** Where the executions are kept; undefined: nowhere. */
  path: string | undefined;
  /** Passes the event of an end to the default bus. */
  publish(event: EndEvent): Promise<void>;
}

type Started = { execution: MachineExecution; isNew: boolean } | { alreadyExists: string };

/**
 * The executions of state machines, or of durable functions. Nothing runs here: an execution waits, then ends
 * as its script says, or as a button of `/_local/machines` says.
 */
export class MachineExecutions {
  private readonly byArn = new Map<string, MachineExecution>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly startsOf = new Map<string, number>();
  private readonly file;
  private readonly ways: ServiceWays;

  constructor(private readonly deps: ExecutionDeps) {
    this.ways = deps.ways ?? STATE_MACHINES;
    this.file = openExecutionFile(deps.path, this.byArn);
    for (const execution of this.byArn.values()) if (execution.status === 'RUNNING') this.await(execution);
  }

  /** A name is used once. The same start again is the running execution. */
  start(machineArn: string, name: string, input: string): Started {
    const arn = this.ways.arnOf(machineArn, name);
    const known = this.byArn.get(arn);
    if (known)
      return this.ways.isSame(known, input) ? { execution: known, isNew: false } : { alreadyExists: arn };
    const starts = this.startsOf.get(machineArn) ?? 0;
    this.startsOf.set(machineArn, starts + 1);
    const { lastsMs, ends } = scriptOf(this.deps.scripts, machineArn);
    const startedMs = this.deps.clock.nowMs();
    const execution: MachineExecution = {
      ...{ arn, machineArn, name, input, startedMs },
      endsMs: startedMs + lastsMs,
      ends: ends[Math.min(starts, ends.length - 1)]!,
      status: 'RUNNING',
      delivery: 'once',
    };
    this.write(execution);
    this.await(execution);
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
    const execution = this.byArn.get(arn);
    if (execution?.status !== 'RUNNING') return execution;
    clearTimeout(this.timers.get(arn));
    this.timers.delete(arn);
    const ended = { ...execution, ...why, status, stoppedMs: this.deps.clock.nowMs() };
    this.write(ended);
    this.tell(ended);
    return ended;
  }

  /** How often the event of its end is delivered. The event of one that has ended is delivered once more. */
  deliver(arn: string, delivery: Delivery): MachineExecution | undefined {
    const execution = this.byArn.get(arn);
    if (!execution) return undefined;
    const changed = { ...execution, delivery };
    this.write(changed);
    if (changed.status !== 'RUNNING' && delivery === 'twice') this.tell({ ...changed, delivery: 'once' });
    return changed;
  }

  /** All that is known, the newest first. */
  list(): MachineExecution[] {
    return [...this.byArn.values()].toReversed();
  }

  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  /** One whose time was over while nothing ran ends now, as if the event came late. */
  private await({ arn, endsMs, ends }: MachineExecution): void {
    const end = (): void => {
      this.end(
        arn,
        ends,
        ends === 'SUCCEEDED' ? {} : { error: 'StandIn', cause: 'ended as its script says' },
      );
    };
    this.timers.set(arn, setTimeout(end, Math.max(0, endsMs - this.deps.clock.nowMs())));
  }

  private write(execution: MachineExecution): void {
    this.byArn.set(execution.arn, execution);
    this.file.append(execution);
  }

  private tell(execution: MachineExecution): void {
    const times = { lost: 0, once: 1, twice: 2 }[execution.delivery];
    const event = this.ways.eventOf(execution, this.deps.newId());
    for (let n = 0; n < times; n += 1) void this.deps.publish(event);
  }
}
