import { createHash } from 'node:crypto';

import type { IncomingRequest } from '../../lambdas/api/admit';
import type { ApiResponse } from '../../lambdas/api/request';
import type { Operation } from '../../lambdas/core/contracts/routes';
import { openAttemptToken } from '../../lambdas/core/delivery/attempt-token';
import { parseDuration } from '../../lambdas/core/schedule/duration';
import type { ReportView } from '../../lambdas/core/http/openapi/answers';
import type { ClaimView, WorkView } from '../../lambdas/core/http/openapi/work';
import { callerOf } from '../support/caller';
import { apiSurroundings } from '../support/surroundings';
import type { FakeClock } from '../support/fake-clock';
import { FakeRandom } from '../support/fake-random';
import { routeOf } from '../support/route-of';
import type { Faults } from './faults';
import type { EventLog, ReportOperation, TargetEnd } from './log';
import { bodySeen } from './sim-target';
import { USERS } from './workload';

export interface WorkersPlan {
  queues: readonly string[];
  /** Processes that claim from each queue of each user. */
  each: number;
  /** Executions that a process has at a time. */
  concurrency: number;
  /** Absent: all of them. */
  users?: readonly string[];
}

interface WorkersWorld {
  plan: { seed: number; conditions: { skewMs: number } };
  time: FakeClock;
  faults: Faults;
  log: EventLog;
  /** No response if the API's process died. */
  api(request: IncomingRequest): Promise<ApiResponse | undefined>;
  claim(request: IncomingRequest): Promise<ApiResponse | undefined>;
}

/** Numbers of calls and reports that those of HTTP targets never reach. */
const FIRST_NUMBER = 2_000_000;
/** A worker ends its work this long before its lease can be another's. */
const MARGIN_MS = 1_000;
const TRIES = 3;
const REPEAT_AFTER_MS = 3_000;
const FREEZES_MS = [20_000, 60_000, 130_000];
const SHORT_WORK_MS = 8_000;
const LONG_WORK_MS = 100_000;

/** One process that claims from a queue. It may die, and comes back as a new one. */
interface Process {
  name: string;
  userId: string;
  queue: string;
  random: FakeRandom;
  working: Set<Work>;
  dead: boolean;
  frozenUntilMs: number;
}

/** Claimed work that a process has begun. */
interface Work {
  call: number;
  view: WorkView;
  /** Until then, in monotonic time, no other worker can have its lease. */
  untilMs: number;
  /** Until then the attempt may last, in monotonic time: no heartbeat extends it. */
  deadlineMs: number;
  over: boolean;
}

/**
 * Workers by the rules of their protocol. They claim, send heartbeats, report and release. They end their
 * work
 * before their lease can be another's, also when they are frozen. Their work is in the log as calls are.
 */
export class SimWorkers {
  private numbers = FIRST_NUMBER;

  constructor(
    private readonly workers: WorkersPlan,
    private readonly world: WorkersWorld,
  ) {}

  start(): void {
    for (const userId of this.workers.users ?? USERS)
      for (const queue of this.workers.queues)
        for (let index = 0; index < this.workers.each; index++) void this.keepAlive(userId, queue, index);
  }

  private async keepAlive(userId: string, queue: string, index: number): Promise<void> {
    const { plan, time } = this.world;
    const { queues, each } = this.workers;
    const number = (USERS.indexOf(userId) * queues.length + queues.indexOf(queue)) * each + index;
    // Each draws for itself: two of them never send one Idempotency-Key.
    const random = new FakeRandom(plan.seed * 97 + number);
    for (let life = 1; ; life++) {
      const name = `${queue}-${userId}-${index}.${life}`;
      const process = {
        name,
        userId,
        queue,
        random,
        working: new Set<Work>(),
        dead: false,
        frozenUntilMs: 0,
      };
      await this.live(process);
      await time.sleep(random.between(1_000, 40_000));
    }
  }

  private async live(process: Process): Promise<void> {
    const { time, faults } = this.world;
    const at = { detail: process.name };
    while (!process.dead) {
      await this.pause(process, process.random.between(3_000, 12_000));
      if (faults.strikes('worker-dies', at)) {
        process.dead = true;
        for (const work of process.working) this.end(work, 'cut');
      } else if (faults.strikes('worker-freezes', at)) {
        process.frozenUntilMs = time.monotonicMs() + process.random.pick(FREEZES_MS);
      } else if (process.working.size < this.workers.concurrency) await this.claim(process);
    }
  }

  /** Lets time pass for a process: more of it while it is frozen. */
  private async pause(process: Process, ms: number): Promise<void> {
    const { time } = this.world;
    await time.sleep(ms);
    for (let leftMs = 1; leftMs > 0; leftMs = process.frozenUntilMs - time.monotonicMs())
      await time.sleep(Math.max(0, process.frozenUntilMs - time.monotonicMs()));
  }

  /** With a key, a claim is repeated until its answer is known: the same work then counts from the first. */
  private async claim(process: Process): Promise<void> {
    const { random, queue, name } = process;
    const sentMs = this.world.time.monotonicMs();
    const isKeyed = random.fraction() < 0.5;
    const max = this.workers.concurrency - process.working.size;
    const body = { queue, max, wait: random.pick(['0s', '0s', '0s', '2s']), worker: name };
    const key: Record<string, string> = isKeyed ? { 'idempotency-key': random.id() } : {};
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await this.ask('claimWork', process, body, key);
      const view = answer?.status === 200 ? (answer.body as ClaimView) : undefined;
      if (process.dead) return;
      for (const work of view?.work ?? []) void this.begin(work, sentMs, process);
      if (view || !isKeyed) return;
      await this.pause(process, REPEAT_AFTER_MS);
    }
  }

  private async begin(view: WorkView, sentMs: number, process: Process): Promise<void> {
    const { time, faults, log, plan } = this.world;
    const attemptMs = Date.parse(view.deadline) - Date.parse(view.claimedAt);
    const deadlineMs = sentMs + attemptMs - MARGIN_MS;
    const limitMs = Math.min(deadlineMs, sentMs + parseDuration(view.heartbeatTimeout) - MARGIN_MS);
    if (time.monotonicMs() >= limitMs) return; // its answer came too late
    if (faults.strikes('worker-releases', { detail: `${process.name} ${view.execId}` })) {
      await this.ask('releaseWork', process, undefined, authorized(view));
      return;
    }
    const work: Work = { call: ++this.numbers, view, untilMs: limitMs, deadlineMs, over: false };
    const { jobKey, execId } = openAttemptToken(view.token, await apiSurroundings.secret.get())!.lease;
    log.add({
      src: 'target',
      type: 'begin',
      call: work.call,
      node: process.name,
      jobKey,
      execId,
      attempt: view.attempt,
      fence: view.fence,
      dueAtMs: Date.parse(view.dueAt),
      deliveryId: createHash('sha256').update(`${jobKey}#${execId}`).digest('hex'),
      ...bodySeen(view.payload),
      // The executor has offered it by its own clock.
      offsetMs: plan.conditions.skewMs / 2,
    });
    process.working.add(work);
    void this.watch(work);
    await this.work(work, process);
    process.working.delete(work);
  }

  /** Ends the work at the limit of its lease, whatever its process does. */
  private async watch(work: Work): Promise<void> {
    const { time } = this.world;
    while (!work.over) {
      await time.sleep(Math.max(1, work.untilMs - time.monotonicMs()));
      if (time.monotonicMs() >= work.untilMs) this.end(work, 'cut');
    }
  }

  private end(work: Work, how: TargetEnd['how']): void {
    if (work.over) return;
    work.over = true;
    this.world.log.add({ src: 'target', type: 'end', call: work.call, how });
  }

  private async work(work: Work, process: Process): Promise<void> {
    const { time, faults } = this.world;
    const { random } = process;
    const everyMs = parseDuration(work.view.heartbeatTimeout) / 3;
    const lastsMs = random.between(0, random.fraction() < 0.1 ? LONG_WORK_MS : SHORT_WORK_MS);
    const endMs = time.monotonicMs() + lastsMs;
    while (time.monotonicMs() < endMs && !work.over) {
      await this.pause(process, Math.min(everyMs, endMs - time.monotonicMs()));
      if (time.monotonicMs() < endMs && !work.over) await this.heartbeat(work, process);
    }
    if (work.over) return;
    this.end(work, 'accepted');
    const detail = `work ${work.call}`;
    const isFatal = faults.strikes('target-refuses', { detail });
    const fails = isFatal || faults.strikes('target-fails', { detail });
    const body = fails ? { error: 'the work failed', retriable: !isFatal } : undefined;
    for (let tries = 0; tries < TRIES && !process.dead; tries++) {
      const answer = await this.report(fails ? 'failAttempt' : 'completeAttempt', work, process, body);
      if (answer && answer.status < 500) return;
      await this.pause(process, REPEAT_AFTER_MS);
    }
  }

  private async heartbeat(work: Work, process: Process): Promise<void> {
    const sentMs = this.world.time.monotonicMs();
    const answer = await this.report('heartbeatAttempt', work, process);
    if (answer?.status === 409) this.end(work, 'cut');
    // After a request to cancel, a heartbeat extends nothing: the work may go on to its limit.
    if (answer?.status !== 200 || (answer.body as ReportView).cancelRequested) return;
    const keptMs = sentMs + parseDuration(work.view.heartbeatTimeout) - MARGIN_MS;
    work.untilMs = Math.min(work.deadlineMs, keptMs);
  }

  private async report(
    operation: ReportOperation & Operation,
    work: Work,
    process: Process,
    body?: object,
  ): Promise<ApiResponse | undefined> {
    const report = ++this.numbers;
    const { call } = work;
    this.world.log.add({ src: 'report', type: 'sent', report, call, operation });
    const answer = await this.ask(operation, process, body, authorized(work.view));
    this.world.log.add({ src: 'report', type: 'answered', report, call, operation, status: answer?.status });
    return answer;
  }

  /** One request. Its answer may be lost, and may come late. */
  private async ask(
    operation: Operation,
    process: Process,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<ApiResponse | undefined> {
    const { faults } = this.world;
    const { userId, name, random } = process;
    const request: IncomingRequest = {
      route: routeOf(operation),
      requestId: `worker-${++this.numbers}`,
      ...(operation === 'claimWork' ? callerOf(userId, 'work') : callerOf('')),
      params: {},
      query: new Map(),
      headers,
      body: body && JSON.stringify(body),
    };
    const answer = await (operation === 'claimWork' ? this.world.claim(request) : this.world.api(request));
    const at = { detail: `${operation} of ${name}` };
    if (faults.strikes('worker-answer-late', at)) await this.pause(process, random.between(1_000, 30_000));
    else await this.pause(process, 0);
    return faults.strikes('worker-answer-lost', at) ? undefined : answer;
  }
}

const authorized = ({ token }: WorkView): Record<string, string> => ({ authorization: `Bearer ${token}` });
