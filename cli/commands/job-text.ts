import type { Job } from '../../client';
import type { Context } from '../context';
import { definitionRows } from '../definition-text';
import { timeZoneOf } from '../schedule-text';
import { statusText } from '../terminal/style';
import { actorText } from './actor-text';
import { plain } from '../terminal/table';
import { instantText, localText, relative } from '../terminal/times';

/** A job as text for a terminal: its state, then each field of its definition. */
export function jobText(job: Job, { style, io, fields }: Pick<Context, 'style' | 'io' | 'fields'>): string {
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
    ['paused until', when(job.pausedUntil)],
    ['next', when(job.nextFireAt)],
    ['last', last ? `${statusText(last.status, style)} ${both(last.dueAt)}  ${last.execId}` : undefined],
    ...definitionRows(job),
    ['created', when(job.createdAt)],
    ['updated', job.updatedAt === job.createdAt ? undefined : when(job.updatedAt)],
    ['by', job.by ? actorText(job.by) : undefined],
    ['note', job.note && plain(job.note)],
  ]);
}
