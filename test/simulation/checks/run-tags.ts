import { endIn, isInJournal } from '../../../lambdas/core/domain/journal-end';
import type { Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';
import { IN_THE_STREAM_MS } from './journal';

const nameOf = (jobKey: string, execId: string, runTag: string): string => `${jobKey} ${execId} ${runTag}`;

/** What is promised of run tags: each execution that ended with one is found by it, and no other. */
export function checkRunTags(story: Story): Violation[] {
  if (!story.records.some((record) => record.src === 'table' && record.type === 'ends')) return [];
  const found = new Set<string>();
  for (const record of story.records)
    if (record.src === 'table' && record.type === 'run-tag')
      found.add(nameOf(record.jobKey, record.execId, record.runTag));
  const had = new Set<string>();
  const violations: Violation[] = [];
  for (const states of story.states.values())
    for (const [index, { t, execution }] of states.entries()) {
      for (const tag of execution.runTags ?? []) had.add(nameOf(execution.jobKey, execution.execId, tag));
      const end = endIn(states[index - 1]?.execution, execution);
      if (!end || !isInJournal(end) || t > story.endMs - IN_THE_STREAM_MS) continue;
      for (const tag of end.runTags ?? []) {
        const name = nameOf(end.jobKey, end.execId, tag);
        if (found.has(name)) continue;
        violations.push(open('run-tags', `${name} ended at ${clockTime(t)} and is not found by its tag`));
      }
    }
  for (const name of found)
    if (!had.has(name)) violations.push(broken('run-tags', `${name} is found by a tag that it never had`));
  return violations;
}
