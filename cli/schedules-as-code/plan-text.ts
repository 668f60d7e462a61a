import { definitionRows } from '../definition-text';
import { describeSchedule } from '../schedule-text';
import type { Style } from '../terminal/style';
import { plural } from '../terminal/plural';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import type { Definition } from './definition';
import type { PendingMisfits } from './dry-run';
import type { FieldChange } from './diff';
import { hiddenIn, type Hide, hideNothing } from './hidden-values';
import { isEmpty, MOST_WAITING, type Plan } from './plan';

/**
 * A plan as text: jobs to add, jobs to change with each field, and jobs to remove.
 *
 * @param hide hides values of variables
 */
export function planText(plan: Plan, style: Style, hide: Hide = hideNothing): string {
  const changeText = changeTextOf(style, hide);
  const added = plan.added.map(({ job, firstAt, awaitsCalendar }) => {
    const first = firstAt
      ? `first ${instantText(firstAt)}Z`
      : awaitsCalendar
        ? 'first time known with its calendar'
        : 'never fires';
    const paused = job.paused ? ', paused' : '';
    const schedule = plain(hide(describeSchedule(job.definition.schedule)));
    return `${style.good('+')} ${job.jobId}  ${schedule}, ${first}${paused}\n${details(job.definition, hide)}`;
  });
  const changed = plan.changed.map(({ job, changes, pausing, misfits }) => {
    const lines = changes.map((change) => `    ${changeText(change)}\n`);
    if (misfits) lines.push(`    ${style.warn(misfitsText(misfits))}\n`);
    return `${style.warn('~')} ${job.jobId}${pausing ? `  ${pausing}` : ''}\n${lines.join('')}`;
  });
  const removed = plan.removed.map(({ jobId, waiting }) => {
    const lost = waiting > 0 ? `    ${style.warn(waitingText(waiting))}\n` : '';
    return `${style.bad('-')} ${jobId}\n${lost}`;
  });
  const calendars = plan.calendars.map(({ calendar, isNew, changes }) => {
    const sign = isNew ? style.good('+') : style.warn('~');
    const changed = changes.map((change) => `    ${changeText(change)}\n`);
    return `${sign} calendar ${calendar.calendarId}\n${changed.join('')}`;
  });
  const notifications = plan.notifications.map(({ notification, isNew, changes }) => {
    const sign = isNew ? style.good('+') : style.warn('~');
    const lines = changes.map((change) => `    ${changeText(change)}\n`);
    return `${sign} notification ${notification.id}\n${lines.join('')}`;
  });
  const ends = plan.calendarEnds.map(({ calendarId, text }) =>
    style.warn(`calendar ${calendarId} ${text}\n`),
  );
  const quiet = plan.quietTimes.map(({ jobId, text }) => style.warn(`${jobId} ${text}\n`));
  const lines = [...calendars, ...notifications, ...added, ...changed, ...removed, ...ends, ...quiet];
  return `${lines.join('')}${lines.length > 0 ? '\n' : ''}${summary(plan)}\n`;
}

/** The fields of a definition besides the schedule, four columns in. */
const details = ({ schedule, ...rest }: Definition, hide: Hide): string => {
  // what describes a schedule reads it, so only the text of it is hidden
  const rows = definitionRows({ ...hiddenIn(rest, hide), schedule });
  const shown = rows
    .filter(([name]) => name !== 'schedule')
    .map(([name, text]) => [name, text === undefined ? undefined : hide(text)] as const);
  return fields(shown).replace(/^(?=.)/gm, '    ');
};

const misfitsText = ({ count, of }: PendingMisfits): string =>
  `${count} of ${plural(of, 'waiting run')} ${count === 1 ? 'has' : 'have'} a payload that does not fit: migrate may mend it`;

const waitingText = (count: number): string =>
  `${count === MOST_WAITING ? 'at least ' : ''}${plural(count, 'waiting run')} will not run`;

function summary(plan: Plan): string {
  const { added, changed, removed, unchanged } = plan;
  if (isEmpty(plan)) return `Nothing to do: ${unchanged.length} unchanged.`;
  const calendars =
    plan.calendars.length === 0 ? '' : `${plural(plan.calendars.length, 'calendar')} to set, `;
  const count = plan.notifications.length;
  const notifications = count === 0 ? '' : `${plural(count, 'notification')} to set, `;
  return `${calendars}${notifications}${added.length} to add, ${changed.length} to change, ${removed.length} to remove, ${unchanged.length} unchanged.`;
}

const changeTextOf = ({ dim }: Style, hide: Hide) => {
  const valueText = (value: unknown) =>
    value === undefined ? dim('(none)') : plain(JSON.stringify(hiddenIn(value, hide)));
  return ({ path, from, to }: FieldChange): string => `${path}  ${valueText(from)} → ${valueText(to)}`;
};

/**
 * A plan as JSON, for scripts.
 *
 * @param hide hides values of variables
 */
export const planJson = (plan: Plan, hide: Hide = hideNothing) => {
  const changesOf = (changes: readonly FieldChange[]) =>
    changes.map(({ path, from, to }) => ({
      path,
      from: hiddenIn(from ?? null, hide),
      to: hiddenIn(to ?? null, hide),
    }));
  const { added, changed, removed, unchanged, calendars, notifications, isChecked } = plan;
  return {
    ...(calendars.length > 0 && {
      calendars: calendars.map(({ calendar, isNew, changes }) => ({
        calendarId: calendar.calendarId,
        isNew,
        changes: changesOf(changes),
      })),
    }),
    ...(notifications.length > 0 && {
      notifications: notifications.map(({ notification, isNew, changes }) => ({
        id: notification.id,
        isNew,
        changes: changesOf(changes),
      })),
    }),
    ...(plan.calendarEnds.length > 0 && { calendarEnds: plan.calendarEnds }),
    ...(plan.quietTimes.length > 0 && { quietTimes: plan.quietTimes }),
    added: added.map(({ job, firstAt }) => ({
      jobId: job.jobId,
      ...(job.paused ? { paused: true } : {}),
      firstAt,
      definition: hiddenIn(job.definition, hide),
    })),
    changed: changed.map(({ job, changes, pausing, misfits }) => ({
      jobId: job.jobId,
      changes: changesOf(changes),
      ...(pausing ? { pausing } : {}),
      ...(misfits ? { pendingMisfits: misfits } : {}),
    })),
    removed: removed.map(({ jobId, waiting }) => ({ jobId, ...(waiting > 0 ? { waiting } : {}) })),
    unchanged,
    ...(isChecked ? {} : { isChecked }),
  };
};
