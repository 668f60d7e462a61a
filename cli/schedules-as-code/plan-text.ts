import { definitionRows } from '../definition-text';
import { describeSchedule } from '../schedule-text';
import type { Style } from '../terminal/style';
import { plural } from '../terminal/plural';
import { fields, plain } from '../terminal/table';
import { instantText } from '../terminal/times';
import type { Definition } from './definition';
import type { FieldChange } from './diff';
import { isEmpty, type Plan } from './plan';

/** A plan as text: jobs to add, jobs to change with each field, and jobs to remove. */
export function planText(plan: Plan, style: Style): string {
  const added = plan.added.map(({ job, firstAt, awaitsCalendar }) => {
    const first = firstAt
      ? `first ${instantText(firstAt)}Z`
      : awaitsCalendar
        ? 'first time known with its calendar'
        : 'never fires';
    const paused = job.paused ? ', paused' : '';
    const schedule = plain(describeSchedule(job.definition.schedule));
    return `${style.good('+')} ${job.jobId}  ${schedule}, ${first}${paused}\n${details(job.definition)}`;
  });
  const changed = plan.changed.map(({ job, changes, pausing }) => {
    const lines = changes.map((change) => `    ${changeText(change, style)}\n`);
    return `${style.warn('~')} ${job.jobId}${pausing ? `  ${pausing}` : ''}\n${lines.join('')}`;
  });
  const removed = plan.removed.map(({ jobId }) => `${style.bad('-')} ${jobId}\n`);
  const calendars = plan.calendars.map(({ calendar, isNew, changes }) => {
    const sign = isNew ? style.good('+') : style.warn('~');
    const changed = changes.map((change) => `    ${changeText(change, style)}\n`);
    return `${sign} calendar ${calendar.calendarId}\n${changed.join('')}`;
  });
  const notifications = plan.notifications.map(({ notification, isNew, changes }) => {
    const sign = isNew ? style.good('+') : style.warn('~');
    const lines = changes.map((change) => `    ${changeText(change, style)}\n`);
    return `${sign} notification ${notification.id}\n${lines.join('')}`;
  });
  const ends = plan.calendarEnds.map(({ calendarId, text }) =>
    style.warn(`calendar ${calendarId} ${text}\n`),
  );
  const lines = [...calendars, ...notifications, ...added, ...changed, ...removed, ...ends];
  return `${lines.join('')}${lines.length > 0 ? '\n' : ''}${summary(plan)}\n`;
}

/** The fields of a definition besides the schedule, four columns in. */
const details = (definition: Definition): string => {
  const rows = definitionRows(definition).filter(([name]) => name !== 'schedule');
  return fields(rows).replace(/^(?=.)/gm, '    ');
};

function summary(plan: Plan): string {
  const { added, changed, removed, unchanged } = plan;
  if (isEmpty(plan)) return `Nothing to do: ${unchanged.length} unchanged.`;
  const calendars =
    plan.calendars.length === 0 ? '' : `${plural(plan.calendars.length, 'calendar')} to set, `;
  const count = plan.notifications.length;
  const notifications = count === 0 ? '' : `${plural(count, 'notification')} to set, `;
  return `${calendars}${notifications}${added.length} to add, ${changed.length} to change, ${removed.length} to remove, ${unchanged.length} unchanged.`;
}

const changeText = ({ path, from, to }: FieldChange, { dim }: Style): string =>
  `${path}  ${valueText(from, dim)} → ${valueText(to, dim)}`;

const valueText = (value: unknown, dim: Style['dim']): string =>
  value === undefined ? dim('(none)') : plain(JSON.stringify(value), 120);

/** A plan as JSON, for scripts. */
export const planJson = (plan: Plan) => {
  const { added, changed, removed, unchanged, calendars, notifications, isChecked } = plan;
  return {
    ...(calendars.length > 0 && {
      calendars: calendars.map(({ calendar, isNew, changes }) => ({
        calendarId: calendar.calendarId,
        isNew,
        changes: changes.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
      })),
    }),
    ...(notifications.length > 0 && {
      notifications: notifications.map(({ notification, isNew, changes }) => ({
        id: notification.id,
        isNew,
        changes: changes.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
      })),
    }),
    ...(plan.calendarEnds.length > 0 && { calendarEnds: plan.calendarEnds }),
    added: added.map(({ job, firstAt }) => ({
      jobId: job.jobId,
      ...(job.paused ? { paused: true } : {}),
      firstAt,
      definition: job.definition,
    })),
    changed: changed.map(({ job, changes, pausing }) => ({
      jobId: job.jobId,
      changes: changes.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
      ...(pausing ? { pausing } : {}),
    })),
    removed: removed.map(({ jobId }) => ({ jobId })),
    unchanged,
    ...(isChecked ? {} : { isChecked }),
  };
};
