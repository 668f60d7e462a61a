import { clockNoteAt, type NotDue, notDueAt } from '../../schedule/not-due';
import { runsLeftAfter } from '../planned-times';
import type { Change, Facts, ExplanationStep, StepEvidence } from './facts';
import { fromChanges, fromExecution, scheduleText, timeIn } from './texts';
import { type Definition, type CurrentDefinition, currentAt, knownAt, plans } from './timeline';

/** Whether the occurrence was planned, by what was current, and the steps that show it. */
export interface Planned {
  /** Undefined: that is not known any more. */
  isPlanned: boolean | undefined;
  /** The definition that planned it, or that was current. */
  definition?: Definition;
  /** If it is not planned: an earlier definition planned it, until this change. */
  until?: Change;
  /** Writes an instant on the clocks of the schedule. */
  time: (ms: number) => string;
  steps: ExplanationStep[];
}

/**
 * Whether the occurrence was planned. A record of it counts more than a schedule: it may be of a definition
 * that a change replaced in the same seconds.
 */
export function plannedBy(facts: Facts): Planned {
  const current = currentAt(facts, facts.atMs);
  const { row } = facts;
  if (current.state === 'known' && plans(current.definition, facts.atMs))
    return isPlannedBy(current.definition, facts);
  const earlier = definitionThatPlanned(facts);
  if (earlier && row) return isPlannedBy(earlier, facts);
  if (row) return isOnRecord(row.execId, current, facts);
  const until = earlier?.until?.what === 'deleted' ? undefined : earlier?.until;
  switch (current.state) {
    case 'known':
      return { ...notPlannedBy(current.definition, facts), ...(until && { until }) };
    case 'none':
      return { isPlanned: false, time: timeIn(), steps: [didNotExist(current, facts)] };
    case 'missing':
    case 'erased':
      return { isPlanned: undefined, time: timeIn(), steps: [changesAreGone(current)] };
  }
}

function isPlannedBy(definition: Definition, facts: Facts): Planned {
  const { atMs } = facts;
  const time = timeIn(definition.schedule.plan.zone);
  const note = clockNoteAt(definition.schedule, atMs);
  const { exclude } = typeof definition.spec === 'string' ? {} : (definition.spec as { exclude?: string[] });
  const text = [
    `${time(atMs)} is an occurrence of ${generationText(definition.change)}${scheduleText(definition.spec)}.`,
    ...(exclude?.length ? ['No exclusion covers it.'] : []),
    ...(note === undefined ? [] : [`${sentenceOf(note)}.`]),
  ].join(' ');
  const step = { code: 'planned', holds: true, text, evidence: scheduleEvidence(definition, time) } as const;
  return { isPlanned: true, definition, time, steps: [step] };
}

/** A row is there, and no definition that is kept plans it. */
function isOnRecord(execId: string, current: CurrentDefinition, { atMs }: Facts): Planned {
  const time = timeIn(current.state === 'known' ? current.definition.schedule.plan.zone : undefined);
  const text = `It is on record as due at ${time(atMs)}. The definition that planned it is not kept.`;
  return {
    isPlanned: true,
    ...(current.state === 'known' && { definition: current.definition }),
    time,
    steps: [{ code: 'planned', holds: true, text, evidence: fromExecution(execId) }],
  };
}

function notPlannedBy(definition: Definition, facts: Facts): Planned {
  const { atMs } = facts;
  const { schedule, spec, change, scheduleChangedAtMs, context } = definition;
  const time = timeIn(schedule.plan.zone);
  const evidence = scheduleEvidence(definition, time);
  const nearest = [schedule.previous(atMs), schedule.next(atMs)]
    .filter((ms) => ms !== undefined && ms > scheduleChangedAtMs)
    .map((ms) => time(ms!));
  const around = nearest.length === 0 ? '' : ` The nearest times are ${nearest.join(' and ')}.`;
  const text = `${time(atMs)} is no occurrence of ${generationText(change)}${scheduleText(spec)}.${around}`;
  const steps: ExplanationStep[] = [{ code: 'planned', holds: false, text, evidence }];
  if (schedule.occursAt(atMs) && runsLeftAfter({ scheduleChangedAtMs }, schedule, atMs - 1) <= 0) {
    const used = `maxRuns allows ${schedule.maxRuns}, and so many were planned before it.`;
    steps.push({ code: 'max-runs', holds: false, text: used, evidence });
  }
  for (const one of notDueAt(spec, context, atMs)) steps.push({ ...stepOf(one), evidence });
  return { isPlanned: false, definition, time, steps };
}

const sentenceOf = (note: string): string => note.charAt(0).toUpperCase() + note.slice(1);

function stepOf(one: NotDue): Omit<ExplanationStep, 'evidence'> {
  switch (one.why) {
    case 'excluded':
      return { code: 'excluded', holds: false, text: `The schedule excludes it: ${one.by.join('; ')}.` };
    case 'before-start':
      return { code: 'start-at', holds: false, text: `The schedule begins at ${one.startAt}.` };
    case 'after-end':
      return { code: 'end-at', holds: false, text: `The schedule ends before ${one.endAt}.` };
    case 'clock-change':
      return { code: 'clock-change', holds: false, text: `${sentenceOf(one.note)}.` };
  }
}

/** A change later than a definition that may leave its occurrences planned. */
const MAX_EARLIER = 5;

/** The newest of the definitions before that planned it: at most five changes back. */
function definitionThatPlanned(facts: Facts): Definition | undefined {
  const { changes, atMs } = facts;
  const last = changes.findLastIndex((change) => change.atMs < atMs);
  for (let index = last; index >= 0 && index > last - MAX_EARLIER; index--) {
    if (changes[index]!.what === 'deleted') continue;
    const known = knownAt(facts, index);
    if (known.state === 'known' && plans(known.definition, atMs)) return known.definition;
  }
  return undefined;
}

function didNotExist(
  { before, after }: Extract<CurrentDefinition, { state: 'none' }>,
  { atMs }: Facts,
): ExplanationStep {
  const time = timeIn();
  const created = after ? `created at ${time(after.createdAtMs)}` : 'created later';
  const text = before
    ? `The job did not exist at ${time(atMs)}: it was deleted at ${time(before.atMs)}.`
    : `The job did not exist at ${time(atMs)}: it was ${created}.`;
  return { code: 'existed', holds: false, text, evidence: fromChanges(before ?? after) };
}

function changesAreGone(
  current: Extract<CurrentDefinition, { state: 'missing' | 'erased' }>,
): ExplanationStep {
  const text =
    current.state === 'erased'
      ? 'The definition that was current then has been deleted.'
      : 'The change of the job that was current then is not kept any more.';
  const evidence = current.state === 'erased' ? fromChanges(current.change) : null;
  return { code: 'changes', holds: null, text, evidence };
}

const generationText = ({ generation }: Change): string =>
  generation === undefined ? '' : `generation ${generation}: `;

function scheduleEvidence(
  { change, until, scheduleChangedAtMs }: Definition,
  time: (ms: number) => string,
): StepEvidence {
  const to = until ? ` to ${time(until.atMs)}` : ' on';
  const from = time(Math.min(scheduleChangedAtMs, change.atMs));
  return { text: `the schedule that was current from ${from}${to}`, changes: [change.number] };
}
