import type { LookRequest } from '../../lambdas/core/contracts/messages';
import type { ErrandLooks, ErrandStarts } from '../../lambdas/core/delivery/errands/errand-calls';
import type { ErrandEnd, ErrandStart, Seen, Started } from '../../lambdas/core/delivery/errands/errand-kind';
import type { SweeperDeps } from '../../lambdas/sweeper/recheck';

export const MACHINE = 'arn:aws:states:eu-central-1:111122223333:stateMachine:target-nightly';

/** A service that does errands as a test says, and what was asked of it. */
export class FakeErrands {
  readonly started: ErrandStart[] = [];
  readonly stopped: string[] = [];
  /** Looks that the sweeper has ordered. */
  readonly ordered: LookRequest[] = [];
  onStart: (start: ErrandStart, signal: AbortSignal) => Started | Promise<Started> = () => ({
    how: 'started',
  });
  onLook: (name: string) => Seen = () => ({ state: 'running' });
  mayLook = true;

  readonly starts: ErrandStarts = {
    prefix: 'qj-000000',
    faultOf: () => undefined,
    start: async (start, _, signal) => {
      this.started.push(start);
      return this.onStart(start, signal);
    },
  };

  readonly looks: ErrandLooks = {
    look: async ({ name }) => this.onLook(name),
    stop: async ({ name }) => {
      this.stopped.push(name);
    },
    ofEvent: async ({ detail }) => ({
      type: 'stepfunctions',
      name: detail.name as string,
      resource: (detail.resource as string | undefined) ?? MACHINE,
      end: { how: detail.how as ErrandEnd['how'] },
    }),
  };

  readonly ofSweeper: SweeperDeps['looks'] = {
    mayLook: () => this.mayLook,
    order: async (request) => {
      this.ordered.push(request);
    },
  };

  get names(): string[] {
    return this.started.map(({ name }) => name);
  }
}
