import { Document, isScalar } from 'yaml';

import { describeSchedule } from '../schedule-text';
import type { Definition } from '../schedules-as-code/definition';
import { literal } from '../schedules-as-code/variables';
import type { Style } from '../terminal/style';
import { plain } from '../terminal/table';
import type { Import } from './imported';

/** The result of an import as text: the jobs with their notes, then what cannot be imported. */
export function importText(
  { jobs, refused, notifications = [], allowedTargetArns = [], allowedActions = [] }: Import,
  style: Style,
): string {
  const found = jobs.map(({ source, jobId, definition, paused, notes }) => {
    const schedule = plain(describeSchedule(definition.schedule));
    const head = `${style.good('+')} ${jobId}  ${schedule}${paused ? ', paused' : ''}  ${style.dim(plain(source))}\n`;
    return head + notes.map((note) => `    ${style.warn('note')} ${plain(note)}\n`).join('');
  });
  const mails = notifications.map(
    ({ source, definition: { on, target } }) =>
      `${style.good('+')} notification to ${plain(target.to)}  ${on.join(', ')}  ${style.dim(plain(source))}\n`,
  );
  const without = refused.map(
    ({ source, reason }) => `${style.bad('x')} ${plain(source)}  ${plain(reason)}\n`,
  );
  const summary = `${jobs.length} can be imported, ${refused.length} cannot.\n`;
  const lines = [...found, ...mails, ...without];
  const entries = allowedTargetArns.map((arn) => `  ${plain(JSON.stringify(arn))}\n`);
  if (entries.length > 0) entries.unshift(`\n${ENTRIES}:\n`);
  const actions = allowedActions.map((one) => `  ${plain(JSON.stringify(one))}\n`);
  if (actions.length > 0) actions.unshift(`\n${ACTIONS}:\n`);
  return [...lines, lines.length > 0 ? '\n' : '', summary, ...entries, ...actions].join('');
}

const ENTRIES = 'Their targets need these entries in allowedTargetArns, unless the deployment has them';
const ACTIONS =
  'Their targets need these entries in allowedActions, with the ARNs of all that they may touch';

export const importJson = ({
  jobs,
  notifications,
  refused,
  allowedTargetArns,
  allowedActions = [],
}: Import) => ({
  jobs,
  ...(notifications && notifications.length > 0 && { notifications }),
  refused,
  ...(allowedTargetArns && allowedTargetArns.length > 0 && { allowedTargetArns }),
  ...(allowedActions.length > 0 && { allowedActions }),
});

/**
 * A file for plan and apply. Comments above each job have its notes. The last one lists the entries that the
 * targets need, and what is missing.
 */
export function importFile({
  jobs,
  refused,
  notifications = [],
  allowedTargetArns = [],
  allowedActions = [],
}: Import): string {
  const entries = jobs.map(({ jobId, definition, paused }) => [
    jobId,
    { ...(literal(definition) as Definition), ...(paused ? { paused } : {}) },
  ]);
  const mails = notifications.map(({ id, definition }) => [id, literal(definition)] as const);
  const document = new Document({
    ...(mails.length > 0 && { notifications: Object.fromEntries(mails) as Record<string, unknown> }),
    jobs: Object.fromEntries(entries) as Record<string, unknown>,
  });
  for (const { jobId, source, notes } of jobs) {
    const pair = (document.getIn(['jobs'], true) as { items: { key: unknown }[] }).items.find(
      ({ key }) => isScalar(key) && key.value === jobId,
    );
    if (isScalar(pair?.key)) pair.key.commentBefore = [source, ...notes].map(commentLine).join('\n');
  }
  const last = [
    ...(allowedTargetArns.length > 0 ? [`${ENTRIES}:`, ...allowedTargetArns] : []),
    ...(allowedActions.length > 0
      ? [`${ACTIONS}:`, ...allowedActions.map((one) => JSON.stringify(one))]
      : []),
    ...(refused.length > 0
      ? ['Not imported:', ...refused.map(({ source, reason }) => `${source}: ${reason}`)]
      : []),
  ];
  if (last.length > 0) document.comment = last.map(commentLine).join('\n');
  return document.toString({ lineWidth: 0 });
}

const commentLine = (text: string): string => ` ${plain(text)}`;
