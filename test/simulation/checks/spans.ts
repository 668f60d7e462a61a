import { isHiddenJob } from '../../../lambdas/core/contracts/tables';
import { endIn, type EndSeen } from '../../../lambdas/core/domain/journal-end';
import { runOf } from '../../../lambdas/core/domain/workflow/task-id';
import { attemptsOfLife, hasBegun } from '../../../lambdas/follower/spans/seen-life';
import type { ReceivedSpan } from '../collected';
import { idOf, isTask, type Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';

/** What ends so near the end of the run may not be in the queue of spans yet. */
const NOT_QUEUED_MS = 6 * 60_000;

type OfExecution = Extract<ReceivedSpan, { of: 'execution' }>;
type Named = Pick<OfExecution, 'jobKey' | 'execId' | 'status'> & { userRetries?: number };

const nameOf = ({ jobKey, execId, status, userRetries = 0 }: Named): string =>
  `${jobKey} ${execId} (${status}, retries ${userRetries})`;

interface Received {
  atMs: number;
  span: OfExecution;
}

/**
 * What is promised of spans: each end of an execution that had begun is sent at least once, with its
 * attempts, and never before it. A dead collector gets none. It delays nothing: the other checks say so.
 * One that fails may be slower than the executions, and has an hour: what is in the queue is not lost.
 */
export function checkSpans(story: Story): Violation[] {
  const { collector } = story.conditions;
  if (collector === undefined) return [];
  const received = new Map<string, Received>();
  const attempts = new Set<string>();
  const add = (atMs: number, spans: readonly ReceivedSpan[]): void => {
    for (const span of spans)
      if (span.of === 'attempt') attempts.add(`${span.parentSpanId} ${span.fence} ${span.target}`);
      else if (span.of === 'execution' && !received.has(nameOf(span)))
        received.set(nameOf(span), { atMs, span });
  };
  for (const record of story.records) if (record.src === 'collector') add(record.t, record.spans);
  add(story.endMs, story.end.unsent ?? []);
  return [...missing(story, received, attempts), ...early(story, received)];
}

function* endsIn(story: Story): Generator<{ t: number; before: EndSeen | undefined; end: EndSeen }> {
  for (const states of story.states.values())
    for (const [index, { t, execution }] of states.entries()) {
      const before = states[index - 1]?.execution as EndSeen | undefined;
      const end = endIn(before, execution);
      if (end && !isHiddenJob(end.jobKey)) yield { t, before, end };
    }
}

function* missing(
  story: Story,
  received: ReadonlyMap<string, Received>,
  attempts: ReadonlySet<string>,
): Generator<Violation> {
  if (story.conditions.collector === 'dead') return;
  for (const { t, before, end } of endsIn(story)) {
    if (t > story.endMs - NOT_QUEUED_MS || !hasBegun(before, end) || !isRecorded(end, story)) continue;
    const name = nameOf(end);
    const span = received.get(name)?.span;
    if (!span) yield open('span-whole', `${name} ended at ${clockTime(t)} and has no span`);
    const isSent = ({ fence, target }: EndSeen['attempts'][0]) =>
      attempts.has(`${span?.spanId} ${fence} ${target}`);
    const lost = span && attemptsOfLife(end).find((record) => !isSent(record));
    if (lost) yield open('span-whole', `${name}: fence ${lost.fence} has no span`);
  }
}

/**
 * A trace that a client began is recorded if it says so. Each one of the deployment's own is. A task has that
 * of its run as it is when the task's end is followed: a retry may have given the run another one.
 */
function isRecorded(end: EndSeen, { states }: Story): boolean {
  if (!isTask(end.execId)) return isOfRecorded(end);
  const run = states.get(idOf({ jobKey: end.jobKey, execId: runOf(end.execId) })) ?? [];
  return run.length > 0 && run.every(({ execution }) => isOfRecorded(execution));
}

const isOfRecorded = ({ trace }: Pick<EndSeen, 'trace'>): boolean => trace === undefined || trace.flags === 1;

/** Tasks that take no execution of their own have spans, and no end in the table. */
function* early(story: Story, received: ReadonlyMap<string, Received>): Generator<Violation> {
  const endedMs = new Map<string, number>();
  for (const { t, end } of endsIn(story)) if (!endedMs.has(nameOf(end))) endedMs.set(nameOf(end), t);
  for (const [name, { atMs, span }] of received) {
    if (!story.states.has(idOf(span))) continue;
    const t = endedMs.get(name);
    if (t === undefined) yield broken('span-true', `${name} has a span, and never ended so`);
    else if (atMs < t) yield broken('span-true', `${name} ended at ${clockTime(t)}, after its span was sent`);
  }
}
