import { isHiddenJob, jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { endIn, type EndSeen, namedAtMs } from '../../../lambdas/core/domain/journal-end';
import type { ExportedLine } from '../exported';
import type { Story } from '../story';
import { broken, clockTime, open, type Violation } from '../violation';
import { IN_THE_STREAM_MS } from './journal';

/** Names an end: two ends of an execution differ in one of these. */
const nameOf = (end: { jobKey: string; execId: string; userRetries: number; fence: number; count: number }) =>
  `${end.jobKey} ${end.execId} (retries ${end.userRetries}, fence ${end.fence}, range of ${end.count})`;

const nameOfEnd = ({ jobKey, execId, userRetries = 0, fence, skipped }: EndSeen): string =>
  nameOf({ jobKey, execId, userRetries, fence, count: skipped?.count ?? 0 });

const nameOfLine = ({ project, jobId, execId, taskId, version, ...line }: ExportedLine): string =>
  nameOf({
    jobKey: jobKeyOf({ userId: project, jobId }),
    execId: taskId === null ? execId : `${execId}/${taskId}`,
    ...{ userRetries: line.userRetries, fence: line.fence, count: version },
  });

/**
 * What is promised of the export: each end of the tables has a line in at least one object, in the folder of
 * its hour. Lines of one end have one key, and no other end has it. No line is about what never ended so.
 */
export function checkExport(story: Story): Violation[] {
  // An object with the name of an earlier one has replaced it.
  const objects = new Map<string, readonly ExportedLine[]>();
  for (const record of story.records) if (record.src === 'archive') objects.set(record.name, record.lines);
  if (objects.size === 0) return [];
  const exported = new Map<string, ExportedLine>();
  const violations: Violation[] = [];
  for (const [object, lines] of objects)
    for (const line of lines) {
      const name = nameOfLine(line);
      const known = exported.get(name);
      if (known && known.key !== line.key)
        violations.push(broken('export-true', `${name} is exported under two keys`));
      const [day, hour] = [line.finishedAt.slice(0, 10), line.finishedAt.slice(11, 13)];
      if (!object.includes(`day=${day}/hour=${hour}/`))
        violations.push(broken('export-true', `${name} of ${line.finishedAt} is in ${object}`));
      exported.set(name, line);
    }
  const keys = new Map([...exported].map(([name, { key, version }]) => [`${key} ${version}`, name]));
  if (keys.size < exported.size)
    violations.push(broken('export-true', 'two ends are exported under one key'));
  return [...violations, ...missingOrFalse(story, exported)];
}

function* missingOrFalse(story: Story, exported: ReadonlyMap<string, ExportedLine>): Generator<Violation> {
  const real = new Set<string>();
  for (const states of story.states.values())
    for (const [index, { t, execution }] of states.entries()) {
      const end = endIn(states[index - 1]?.execution, execution);
      if (!end || isHiddenJob(end.jobKey)) continue;
      const name = nameOfEnd(end);
      real.add(name);
      const line = exported.get(name);
      if (!line && t <= story.endMs - IN_THE_STREAM_MS)
        yield open('export-whole', `${name} ended at ${clockTime(t)} and has no line`);
      const at = new Date(end.finishedAtMs ?? namedAtMs(end)).toISOString();
      if (line && (line.status !== end.status || line.finishedAt !== at))
        yield broken('export-true', `${name} is ${line.status} at ${line.finishedAt}, and was ${end.status}`);
    }
  for (const name of exported.keys())
    if (!real.has(name)) yield broken('export-true', `${name} has a line, and never ended so`);
}
