import type { TargetResult } from '../../lambdas/core/domain/target-result';
import type { CallTarget } from '../../lambdas/core/delivery/call/call-target';
import { reportingOf } from '../../lambdas/core/domain/target';
import { taskExecId } from '../../lambdas/core/domain/workflow/task-id';
import { jobKeyOf } from '../../lambdas/core/contracts/tables';
import { type IncidentEvent, incidentEventIn, isOfIncidents } from '../support/fake-incidents';
import type { FakeRandom } from '../support/fake-random';
import type { FakeClock } from '../support/fake-clock';
import type { Faults } from './faults';
import type { EventLog, TargetEnd } from './log';
import type { SimNode } from './node';
import type { SimReports } from './sim-reports';

/** The stamp of a definition in the body of its calls; empty in a body that has none. */
export const stampIn = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'stamp' in payload ? String(payload.stamp) : '';

/** What a call says of its body. */
export const bodySeen = (payload: unknown): { stamp: string; hasTemplate?: true } => ({
  stamp: stampIn(payload),
  ...(JSON.stringify(payload)?.includes('{{') && { hasTemplate: true }),
});

/** The execution that a delivery belongs to: of a task or an item, that of the task or the item. */
function execIdIn(headers: Record<string, string>): string {
  const run = headers['quarterjack-execution']!;
  const task = headers['quarterjack-task'];
  if (task === undefined) return run;
  const item = headers['quarterjack-item'];
  return taskExecId({
    run,
    task,
    round: Number(headers['quarterjack-round']),
    ...(item !== undefined && { item: Number(item) }),
  });
}

/** The most between the last check of the lease and the first byte on the wire. */
const WIRE_MS = 100;

/** The targets of all jobs. They log each call, work for a while, and answer as the faults allow. */
export class SimTargets {
  private calls = 0;

  constructor(
    private readonly time: FakeClock,
    private readonly random: FakeRandom,
    private readonly faults: Faults,
    private readonly log: EventLog,
    private readonly reports: SimReports,
  ) {}

  /** How a node calls targets. */
  from(node: SimNode): CallTarget {
    return async (target, delivery, signal) => {
      await this.time.sleep(this.random.fraction() * WIRE_MS);
      const { headers, project, body } = delivery;
      const payload: unknown = body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined;
      const call = ++this.calls;
      this.log.add({
        src: 'target',
        type: 'begin',
        call,
        node: node.name,
        jobKey: jobKeyOf({ userId: project, jobId: headers['quarterjack-job']! }),
        execId: execIdIn(headers),
        attempt: Number(headers['quarterjack-attempt']),
        fence: Number(headers['quarterjack-fence']),
        dueAtMs: Date.parse(headers['quarterjack-due']!),
        ...(headers['quarterjack-target'] && { target: Number(headers['quarterjack-target']) }),
        deliveryId: headers['webhook-id']!,
        ...bodySeen(payload),
        offsetMs: node.aheadMs,
      });
      const token = headers['quarterjack-token'];
      const isObserved = reportingOf(target).observe === true;
      const by = token === undefined ? undefined : { token, isObserved };
      const event = isOfIncidents(target) ? incidentEventIn(target, delivery) : undefined;
      const answer = await this.exchange(node, call, signal, by, event);
      await node.gate();
      return answer;
    };
  }

  private async exchange(
    node: SimNode,
    call: number,
    signal: AbortSignal,
    by: { token: string; isObserved: boolean } | undefined,
    event: IncidentEvent | undefined,
  ): Promise<TargetResult> {
    const gone = new AbortController();
    node.onDeath(() => gone.abort());
    const cut = AbortSignal.any([signal, gone.signal]);
    const reaction = this.reaction(`call ${call} of ${node.name}`);
    // The service has the event once it arrives, whatever becomes of its caller.
    if (event && reaction.how !== 'failed')
      this.log.add({ src: 'incident', type: 'received', key: event.key, opens: event.opens });
    if (by?.isObserved) void this.reports.observe(call, by.token, reaction.afterMs, cut);
    await this.time.sleep(reaction.afterMs, cut);
    if (cut.aborted) {
      this.log.add({ src: 'target', type: 'end', call, how: 'cut' });
      return { outcome: 'retriable', error: 'call aborted' };
    }
    if (by && !by.isObserved && reaction.how === 'succeeded') {
      this.log.add({ src: 'target', type: 'end', call, how: 'accepted' });
      void this.reports.work(call, by.token);
      return { outcome: 'accepted', statusCode: 202 };
    }
    this.log.add({ src: 'target', type: 'end', call, how: reaction.how });
    return reaction.answer;
  }

  private reaction(detail: string): {
    afterMs: number;
    how: TargetEnd['how'];
    answer: TargetResult;
  } {
    const { random, faults } = this;
    const strikes = (kind: Parameters<Faults['strikes']>[0]) => faults.strikes(kind, { detail });
    const slow = strikes('target-slow') ? random.between(5_000, 100_000) : 0;
    const afterMs = slow + random.between(10, random.fraction() < 0.1 ? 20_000 : 500);
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
    if (strikes('target-asks-to-wait')) return failing(429, random.between(1, 120) * 1_000);
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
