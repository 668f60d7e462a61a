import type { Job } from '../../client';
import type { Context } from '../context';
import { definitionRows } from '../definition-text';
import { describeSchedule, timeZoneOf } from '../schedule-text';
import { statusText } from '../terminal/style';
import { actorText } from './actor-text';
import { fields, plain, table } from '../terminal/table';
import { instantText, localText, relative } from '../terminal/times';

/** A job as text for a terminal: its state, then each field of its definition. */
export function jobText(job: Job, { style, io }: Pick<Context, 'style' | 'io'>): string {
  const zone = timeZoneOf(job.schedule);
  const both = (instant: string) => {
    const local = localText(instant, zone);
    return `${local ? `${local}  ` : ''}${instantText(instant)}Z`;
  };
  const when = (instant: string | null | undefined) =>
    instant ? `${both(instant)} ${style.dim(`(${relative(instant, io.nowMs())})`)}` : undefined;
  const last = job.lastExecution;
  return fields([
    ['job', style.strong(job.jobId)],
    ['name', job.name && plain(job.name)],
    ['status', statusText(job.status, style)],
    ['next', when(job.nextFireAt)],
    ['last', last ? `${statusText(last.status, style)} ${both(last.dueAt)}  ${last.execId}` : undefined],
    ...definitionRows(job),
    ['created', when(job.createdAt)],
    ['updated', job.updatedAt === job.createdAt ? undefined : when(job.updatedAt)],
    ['by', job.by ? actorText(job.by) : undefined],
    ['note', job.note && plain(job.note, 500)],
  ]);
}

/** Jobs as a table. It has a column for local times if one of the jobs has a time zone. */
export function jobTable(jobs: readonly Job[], { style, io }: Pick<Context, 'style' | 'io'>): string {
  const isLocal = jobs.some(({ schedule }) => timeZoneOf(schedule) !== undefined);
  return table(
    ['JOB', 'STATUS', 'NEXT', 'NEXT (UTC)', ...(isLocal ? ['NEXT (LOCAL)'] : []), 'SCHEDULE', 'NAME'],
    jobs.map(({ jobId, status, nextFireAt, schedule, name }) => [
      jobId,
      statusText(status, style),
      nextFireAt ? relative(nextFireAt, io.nowMs()) : style.dim('–'),
      nextFireAt ? instantText(nextFireAt) : '',
      ...(isLocal ? [(nextFireAt && localText(nextFireAt, timeZoneOf(schedule))) ?? ''] : []),
      plain(describeSchedule(schedule), 40),
      plain(name ?? '', 40),
    ]),
  );
}
