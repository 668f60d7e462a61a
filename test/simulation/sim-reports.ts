import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import type { Operation } from '../../lambdas/core/contracts/routes';
import type { FakeClock } from '../support/fake-clock';
import type { FakeRandom } from '../support/fake-random';
import { routeOf } from '../support/route-of';
import type { Faults } from './faults';
import type { EventLog, ReportOperation } from './log';
import { callerOf } from '../support/caller';

const HEARTBEAT_EVERY_MS = 12_000;
const LONGEST_WORK_MS = 120_000;
const REPEAT_AFTER_MS = 4_000;
const TRIES = 4;

interface ReportingWorld {
  time: FakeClock;
  random: FakeRandom;
  faults: Faults;
  log: EventLog;
  /** No response if the API's process died. */
  api(request: IncomingRequest): Promise<ApiResponse | undefined>;
}

/**
 * What targets do after a 202: they work, send heartbeats by the token of the attempt, and report the
 * outcome. A target that hangs is silent from then on.
 */
export class SimReports {
  private requests = 0;

  constructor(private readonly world: ReportingWorld) {}

  async work(call: number, token: string): Promise<void> {
    const { time, random, faults } = this.world;
    const at = { detail: `report of call ${call}` };
    if (faults.strikes('target-hangs', at)) return;
    const endMs = time.monotonicMs() + random.between(0, LONGEST_WORK_MS);
    for (let leftMs = endMs - time.monotonicMs(); leftMs > 0; leftMs = endMs - time.monotonicMs()) {
      await time.sleep(Math.min(HEARTBEAT_EVERY_MS, leftMs));
      if (time.monotonicMs() < endMs && (await this.ask('heartbeatAttempt', call, token)) === 409) return;
    }
    const isFatal = faults.strikes('target-refuses', at);
    const fails = isFatal || faults.strikes('target-fails', at);
    const body = fails ? { error: 'the work failed', retriable: !isFatal } : undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const status = await this.ask(fails ? 'failAttempt' : 'completeAttempt', call, token, body);
      if (status !== undefined && status < 500) return;
      await time.sleep(REPEAT_AFTER_MS);
    }
  }

  /**
   * What a target with `observe` does while it works: it says how far it is. Some, by mistake, report the
   * outcome too, and some go on when the attempt has ended.
   */
  async observe(call: number, token: string, worksForMs: number, signal: AbortSignal): Promise<void> {
    const { time, random } = this.world;
    const everyMs = Math.min(HEARTBEAT_EVERY_MS, worksForMs / 2);
    for (let leftMs = worksForMs; leftMs > 0 && !signal.aborted; leftMs -= everyMs) {
      await time.sleep(everyMs);
      const body = { progress: 1 - leftMs / worksForMs, text: `of call ${call}` };
      if ((await this.ask('heartbeatAttempt', call, token, body)) === 409) return;
      if (random.fraction() < 0.1) await this.ask('completeAttempt', call, token);
      if (random.fraction() < 0.1) await this.ask('failAttempt', call, token);
    }
  }

  /** Sends one report, and returns the status of its response. */
  private async ask(
    operation: ReportOperation & Operation,
    call: number,
    token: string,
    body?: object,
  ): Promise<number | undefined> {
    const report = ++this.requests;
    this.world.log.add({ src: 'report', type: 'sent', report, call, operation });
    const response = await this.world.api({
      route: routeOf(operation),
      requestId: `report-${report}`,
      ...callerOf(''),
      params: {},
      query: new Map(),
      headers: { authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    });
    const status = response?.status;
    this.world.log.add({ src: 'report', type: 'answered', report, call, operation, status });
    return status;
  }
}
