import type { Job } from '../../client';
import type { Context } from '../context';
import { definitionRows } from '../definition-text';
import { statusText } from '../terminal/style';
import { fields, plain } from '../terminal/table';
import { instantText, relative } from '../terminal/times';

/** A job as text for a terminal: its state, then each field of its definition. */
export function jobText(job: Job, { style, io }: Pick<Context, 'style' | 'io'>): string {
  const when = (instant: string | null | undefined) =>
    instant ? `${instantText(instant)}Z ${style.dim(`(${relative(instant, io.nowMs())})`)}` : undefined;
  const last = job.lastExecution;
  return fields([
    ['job', style.strong(job.jobId)],
    ['name', job.name && plain(job.name)],
    ['status', statusText(job.status, style)],
    ['next', when(job.nextFireAt)],
    [
      'last',
      last ? `${statusText(last.status, style)} ${instantText(last.dueAt)}Z  ${last.execId}` : undefined,
    ],
    ...definitionRows(job),
    ['created', when(job.createdAt)],
    ['updated', job.updatedAt === job.createdAt ? undefined : when(job.updatedAt)],
  ]);
}
