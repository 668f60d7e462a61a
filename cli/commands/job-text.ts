import type { Job } from '../../client';
import type { Context } from '../context';
import { describeSchedule } from '../schedule-text';
import { statusText } from '../terminal/style';
import { fields, plain } from '../terminal/table';
import { instantText, relative } from '../terminal/times';

/** A job as text for a terminal, the most important fields first. */
export function jobText(job: Job, { style, io }: Pick<Context, 'style' | 'io'>): string {
  const when = (instant: string | null | undefined) =>
    instant ? `${instantText(instant)}Z ${style.dim(`(${relative(instant, io.nowMs())})`)}` : undefined;
  const last = job.lastExecution;
  return fields([
    ['job', style.strong(job.jobId)],
    ['name', job.name && plain(job.name)],
    ['status', statusText(job.status, style)],
    ['schedule', plain(describeSchedule(job.schedule))],
    ['next', when(job.nextFireAt)],
    [
      'last',
      last ? `${statusText(last.status, style)} ${instantText(last.dueAt)}Z  ${last.execId}` : undefined,
    ],
    ...targetsOf(job).map((target, index): [string, string] => [
      index === 0 ? 'target' : '',
      targetText(target),
    ]),
    ['payload', job.payload === undefined ? undefined : plain(JSON.stringify(job.payload))],
    ['priority', job.priority === 'medium' ? undefined : job.priority],
    ['pool', job.pool === 'default' ? undefined : job.pool],
    [
      'retry',
      job.retry && `${job.retry.maxAttempts} attempts, ${job.retry.initialDelay} × ${job.retry.multiplier}`,
    ],
    ['misfire', job.misfire?.policy],
    ['overlap', job.overlap],
    ['ordering', job.orderingKey ?? undefined],
    ['timeout', job.timeout],
    ['tags', tagsText(job.tags)],
    ['created', when(job.createdAt)],
    ['updated', job.updatedAt === job.createdAt ? undefined : when(job.updatedAt)],
  ]);
}

const tagsText = (tags: Record<string, string> | undefined): string =>
  Object.entries(tags ?? {})
    .map(([key, value]) => plain(`${key}:${value}`))
    .join(' ');

function targetsOf(job: Job): Record<string, unknown>[] {
  const { target, targets } = job as {
    target?: Record<string, unknown>;
    targets?: Record<string, unknown>[];
  };
  return targets ?? (target ? [target] : []);
}

/** `POST https://example.com/hook (async)`. The address is in a different field for each type of target. */
function targetText(target: Record<string, unknown>): string {
  const { type, method, url, mode, ...rest } = target;
  const address =
    url ?? rest.functionArn ?? rest.queueUrl ?? rest.topicArn ?? rest.stateMachineArn ?? rest.eventBusName;
  const parts = [method ?? type, address, mode === 'async' ? '(async)' : ''];
  return plain(parts.filter(Boolean).join(' '));
}
