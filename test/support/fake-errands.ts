import type { ProbeRequest, WatchMessage } from '../../lambdas/core/contracts/messages';
import type { ErrandProbes, ErrandStarts } from '../../lambdas/core/delivery/errands/errand-calls';
import type {
  ErrandEnd,
  ErrandStart,
  Probed,
  Started,
} from '../../lambdas/core/delivery/errands/errand-kind';
import type { StageDeps } from '../../lambdas/core/deps';
import type { Errand, ErrandStep } from '../../lambdas/core/domain/errand';
import { ProbeBudget } from '../../lambdas/core/domain/probe-budget';
import type { SweeperDeps } from '../../lambdas/sweeper/recheck';
import { watch } from '../../lambdas/watcher/watch';

export const MACHINE = 'arn:aws:states:eu-central-1:111122223333:stateMachine:target-nightly';

/** A service that does errands as a test says, and what was asked of it. */
export class FakeErrands {
  readonly started: ErrandStart[] = [];
  readonly stopped: string[] = [];
  readonly probed: Errand[] = [];
  /** The names that each question was about. */
  readonly questions: string[][] = [];
  /** Probes that the sweeper has ordered. */
  readonly ordered: ProbeRequest[] = [];
  onStart: (start: ErrandStart, signal: AbortSignal) => Started | Promise<Started> = () => ({
    how: 'started',
  });
  onProbe: (name: string) => Probed = () => ({ state: 'running' });
  onSteps: (errand: Errand) => Promise<ErrandStep[]> = async () => [];
  mayProbe = true;
  /** The process of the watcher. */
  node: () => StageDeps = () => {
    throw new Error('no stage is the watcher');
  };

  readonly starts: ErrandStarts = {
    prefix: 'qj-000000',
    faultOf: () => undefined,
    start: async (start, _, signal) => {
      this.started.push(start);
      return this.onStart(start, signal);
    },
  };

  readonly probes: ErrandProbes = {
    probe: async (errands) => {
      this.probed.push(...errands);
      this.questions.push(errands.map(({ name }) => name));
      return errands.map(({ name }) => this.onProbe(name));
    },
    steps: async (errand) => this.onSteps(errand),
    stop: async ({ name }) => {
      this.stopped.push(name);
    },
    ofEvent: async ({ detail }) => ({
      type: (detail.type as Errand['type'] | undefined) ?? 'stepfunctions',
      ...(detail.name !== undefined && { name: detail.name as string }),
      resource: (detail.resource as string | undefined) ?? MACHINE,
      isOf: (resource) => resource === (detail.resource ?? MACHINE),
      ...(detail.id !== undefined && { id: detail.id as string }),
      ...(detail.isBrief === true && { isBrief: true }),
      ...(detail.mayTellMore === true && { mayTellMore: true }),
      end: {
        how: detail.how as ErrandEnd['how'],
        ...(detail.isFatal === true && { isFatal: true }),
        ...(detail.error !== undefined && { error: detail.error as string }),
        ...(detail.errorName !== undefined && { errorName: detail.errorName as string }),
        ...(detail.logs !== undefined && { logs: detail.logs as string }),
        ...(detail.exitCode !== undefined && { exitCode: detail.exitCode as number }),
      },
    }),
  };

  readonly ofSweeper: SweeperDeps['probes'] = {
    mayProbe: () => this.mayProbe,
    order: async (request) => {
      this.ordered.push(request);
    },
  };

  /** The watcher handles one message. */
  watch(message: WatchMessage): ReturnType<typeof watch> {
    return this.watchAll([{ id: 'message', message }]);
  }

  /** The watcher handles a batch of messages. */
  watchAll(
    received: Parameters<typeof watch>[0],
    probeBudget: ProbeBudget = new ProbeBudget(),
  ): ReturnType<typeof watch> {
    return watch(received, { ...this.node(), errandProbes: this.probes, probeBudget });
  }

  /** The watcher does what the sweeper has ordered. */
  async probe(): Promise<void> {
    for (const request of this.ordered.splice(0)) await this.watch(request);
  }

  get names(): string[] {
    return this.started.map(({ name }) => name);
  }
}
