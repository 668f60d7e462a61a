import type { Answer } from '../../lambdas/core/domain/answer';
import type { CallTarget } from '../../lambdas/executor/deps';
import type { ApiResponse } from '../../lambdas/api/request';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import type { FakeChance } from '../support/fake-chance';
import type { FakeClock } from '../support/fake-clock';
import type { Faults } from './faults';
import type { EventLog, TargetEnd } from './log';
import type { SimNode } from './node';

interface Payload {
  userId: string;
  jobId: string;
  stamp: string;
}

export type Report = 'heartbeatAttempt' | 'completeAttempt' | 'failAttempt';
/** Within the shortest time that a target is given to say something. */
const MOST_SILENT_MS = 15_000;
const REPORTED_TIMES = 4;
/** Never more than this between the last look at the lease and the first byte on the wire. */
const WIRE_MS = 100;

/** The targets of all jobs: they note what reaches them, work for a while, and answer as the faults let them. */
export class SimTargets {
  private calls = 0;

  constructor(
    private readonly time: FakeClock,
    private readonly chance: FakeChance,
    private readonly faults: Faults,
    private readonly log: EventLog,
    private readonly api: {
      /** Undefined where no answer came. */
      report(operation: Report, token: string, body?: object): Promise<ApiResponse | undefined>;
    },
  ) {}

  /** The way of a node's calls to their targets. */
  from(node: SimNode): CallTarget {
    return async (target, delivery, signal) => {
      await this.time.sleep(this.chance.fraction() * WIRE_MS);
      const { headers } = delivery;
      const payload = JSON.parse(delivery.body.toString('utf8')) as Payload;
      const call = ++this.calls;
      this.log.add({
        src: 'target',
        type: 'begin',
        call,
        node: node.name,
        jobKey: jobKeyOf({ userId: payload.userId, jobId: headers['quarterjack-job']! }),
        execId: headers['quarterjack-execution']!,
        attempt: Number(headers['quarterjack-attempt']),
        fence: Number(headers['quarterjack-fence']),
        dueAtMs: Date.parse(headers['quarterjack-due']!),
        deliveryId: headers['webhook-id']!,
        stamp: payload.stamp,
        offsetMs: node.aheadMs,
        ...(target.mode === 'async' && { works: 'on' as const }),
      });
      if (target.mode === 'async') {
        await this.time.sleep(this.chance.between(5, 200));
        void this.workOn(call, headers['quarterjack-token']!);
        await node.gate();
        return { outcome: 'accepted', statusCode: 202 };
      }
      const answer = await this.exchange(node, call, signal);
      await node.gate();
      return answer;
    };
  }

  /** Works for a while, with a heartbeat now and then, and reports; or falls silent in the middle of it. */
  private async workOn(call: number, token: string): Promise<void> {
    const { chance, faults, time } = this;
    const silent = faults.strikes('target-hangs', { detail: `call ${call}` });
    const fails = faults.strikes('target-fails', { detail: `call ${call}` });
    const beats = silent ? 1 : chance.between(0, 4);
    const endWith = (how: TargetEnd['how']) => this.log.add({ src: 'target', type: 'end', call, how });
    for (let beat = 0; beat < beats; beat++) {
      await time.sleep(chance.between(1_000, MOST_SILENT_MS));
      const answer = await this.api.report('heartbeatAttempt', token);
      if (answer?.status === 409) return endWith('cut');
    }
    await time.sleep(chance.between(500, MOST_SILENT_MS));
    if (silent) return endWith('cut');
    const body = fails ? { error: 'no', retriable: true } : {};
    for (let tries = 0; tries < REPORTED_TIMES; tries++) {
      const answer = await this.api.report(fails ? 'failAttempt' : 'completeAttempt', token, body);
      if (answer?.status === 200 && tries === 0) return endWith(fails ? 'failed' : 'succeeded');
      if (answer && answer.status < 500) return endWith('answer-lost');
      await time.sleep(5_000);
    }
    endWith('answer-lost');
  }

  private async exchange(node: SimNode, call: number, signal: AbortSignal): Promise<Answer> {
    const gone = new AbortController();
    node.onDeath(() => gone.abort());
    const cut = AbortSignal.any([signal, gone.signal]);
    const reaction = this.reaction(`call ${call} of ${node.name}`);
    await this.time.sleep(reaction.afterMs, cut);
    if (cut.aborted) {
      this.log.add({ src: 'target', type: 'end', call, how: 'cut' });
      return { outcome: 'retriable', error: 'call aborted' };
    }
    this.log.add({ src: 'target', type: 'end', call, how: reaction.how });
    return reaction.answer;
  }

  private reaction(detail: string): {
    afterMs: number;
    how: TargetEnd['how'];
    answer: Answer;
  } {
    const { chance, faults } = this;
    const strikes = (kind: Parameters<Faults['strikes']>[0]) => faults.strikes(kind, { detail });
    const slow = strikes('target-slow') ? chance.between(5_000, 100_000) : 0;
    const afterMs = slow + chance.between(10, chance.fraction() < 0.1 ? 20_000 : 500);
    const failing = (statusCode: number, retryAfterMs?: number) => ({
      afterMs,
      how: 'failed' as const,
      answer: {
        outcome: 'retriable',
        statusCode,
        error: `target answered ${statusCode}`,
        retryAfterMs,
      } as const,
    });
    if (strikes('target-hangs')) return { ...failing(504), afterMs: 3_600_000 };
    if (strikes('target-cut-after-work')) {
      return { afterMs, how: 'answer-lost', answer: { outcome: 'retriable', error: 'ECONNRESET' } };
    }
    if (strikes('target-asks-to-wait')) return failing(429, chance.between(1, 120) * 1_000);
    if (strikes('target-fails')) return failing(503);
    if (strikes('target-refuses')) {
      return {
        afterMs,
        how: 'failed',
        answer: { outcome: 'fatal', statusCode: 400, error: 'target answered 400' },
      };
    }
    return { afterMs, how: 'succeeded', answer: { outcome: 'succeeded', statusCode: 200, body: 'ok' } };
  }
}
