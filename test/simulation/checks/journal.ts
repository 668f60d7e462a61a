import {
  endIn,
  isInJournal,
  isLaterEnd,
  journalEndOf,
  type JournalEnd,
} from '../../../lambdas/core/domain/journal-end';
import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';

/** What ends so shortly before the end of the run may still be in the stream. */
export const IN_THE_STREAM_MS = 60_000;

/** Names an end: two ends of an execution differ in one of these. */
const nameOf = (jobKey: string, { execId, userRetries = 0, fence, skipped }: JournalEnd): string =>
  `${jobKey} ${execId} (retries ${userRetries}, fence ${fence}, range of ${skipped?.count ?? 0})`;

/**
 * What is promised of the journal of ends: a reader that drops doubles finds each end of the tables once, and
 * none that never was. The last end of an execution comes after all others of it.
 */
export function checkJournal(story: Story): Violation[] {
  const rows = story.records.flatMap((record) =>
    record.src === 'table' && record.type === 'ends' ? [record] : [],
  );
  if (rows.length === 0) return [];
  const journaled = new Map<string, JournalEnd>();
  const last = new Map<string, JournalEnd>();
  for (const { project, ends } of rows)
    for (const end of ends) {
      const jobKey = jobKeyOf({ userId: project, jobId: end.jobId });
      journaled.set(nameOf(jobKey, end), end);
      const known = last.get(`${jobKey} ${end.execId}`);
      if (!known || isLaterEnd(end, known)) last.set(`${jobKey} ${end.execId}`, end);
    }
  return [...missingIn(story, journaled), ...falseIn(story, journaled, last)];
}

function* missingIn(story: Story, journaled: ReadonlyMap<string, JournalEnd>): Generator<Violation> {
  for (const states of story.states.values())
    for (const [index, { t, execution }] of states.entries()) {
      const end = endIn(states[index - 1]?.execution, execution);
      if (!end || !isInJournal(end) || t > story.endMs - IN_THE_STREAM_MS) continue;
      const name = nameOf(end.jobKey, journalEndOf(end));
      if (!journaled.has(name))
        yield open('journal-whole', `${name} ended at ${clockTime(t)} and is not in the journal`);
    }
}

function* falseIn(
  story: Story,
  journaled: ReadonlyMap<string, JournalEnd>,
  last: ReadonlyMap<string, JournalEnd>,
): Generator<Violation> {
  const real = new Map<string, JournalEnd>();
  for (const states of story.states.values())
    for (const [index, { execution }] of states.entries()) {
      const end = endIn(states[index - 1]?.execution, execution);
      if (!end || !isInJournal(end)) continue;
      real.set(nameOf(end.jobKey, journalEndOf(end)), journalEndOf(end));
    }
  for (const [name, end] of journaled) {
    const own = real.get(name);
    if (!own) yield broken('journal-true', `${name} is in the journal, and never ended so`);
    else if (own.status !== end.status || own.finishedAtMs !== end.finishedAtMs)
      yield broken('journal-true', `${name} is ${end.status} in the journal, and was ${own.status}`);
  }
  for (const [id, end] of last) {
    const states = [...story.states.values()].find(
      ([first]) => first && `${first.execution.jobKey} ${first.execution.execId}` === id,
    );
    const ended = states?.flatMap(
      ({ execution }, index) => endIn(states[index - 1]?.execution, execution) ?? [],
    );
    const newest = ended?.at(-1);
    if (newest && states!.at(-1)!.t < story.endMs - IN_THE_STREAM_MS && newest.status !== end.status)
      yield broken(
        'journal-true',
        `${id} ended last as ${newest.status}, and the journal says ${end.status}`,
      );
  }
}
