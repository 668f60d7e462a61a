import type { Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';
import { PATIENCE } from './occurrences';

/**
 * What is promised of pauses that end by themselves. A job is resumed so only if it was paused until that
 * very time, and not before it. In the end, none is paused whose time has long come.
 */
export function checkResumptions(story: Story): Violation[] {
  const { skewMs, restored, patience = PATIENCE } = story.conditions;
  const violations: Violation[] = [];
  for (const [jobKey, versions] of story.versions) {
    for (const [index, { job, fromMs }] of versions.entries()) {
      if (job?.lastChange?.what !== 'resumed' || job.by?.via !== 'system') continue;
      const before = versions[index - 1]?.job;
      if (restored || before?.etag === undefined || before.revision === job.revision) continue;
      const what = `${jobKey} resumed by itself at ${clockTime(fromMs)}`;
      if (before.status !== 'paused' || before.resumeAtMs === undefined)
        violations.push(broken('obeyed', `${what}: no user had asked for it`));
      else if (job.activeSinceMs !== before.resumeAtMs - 1 || fromMs < before.resumeAtMs - skewMs)
        violations.push(broken('obeyed', `${what}, not at ${clockTime(before.resumeAtMs)}`));
    }
    const last = versions.at(-1)?.job;
    const dueMs = last?.status === 'paused' ? last.resumeAtMs : undefined;
    if (!restored && dueMs !== undefined && dueMs < story.endMs - patience.endsWithinMs)
      violations.push(open('unfinished', `${jobKey} was to be resumed at ${clockTime(dueMs)}`));
  }
  return violations;
}
