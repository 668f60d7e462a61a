import type { Work, WorkerEvent } from '../../client/worker';
import { explain } from '../exit-codes';
import type { Style } from '../terminal/style';
import { plain } from '../terminal/table';

type Ended = Extract<WorkerEvent, { type: 'ended' }>;

/** An event of a worker as one line for a person. */
export function eventText(event: WorkerEvent, style: Style): string {
  switch (event.type) {
    case 'started':
      return `${nameOf(event.work, style)}  started${event.work.attempt > 1 ? `, attempt ${event.work.attempt}` : ''}`;
    case 'ended':
      return `${nameOf(event.work, style)}  ${endText(event, style)}`;
    case 'claim-failed':
      return `${style.warn('claim failed')}  ${explain(event.error)}; again in ${secondsText(event.retryInMs)}`;
    case 'log-failed':
      return `${nameOf(event.work, style)}  ${style.warn('the rest of its log is not kept')}: ${explain(event.error)}`;
    default:
      return event satisfies never;
  }
}

const nameOf = ({ jobId, execId, taskId }: Work, { strong, dim }: Style): string =>
  `${strong(plain(jobId))}  ${dim(plain(execId))}${taskId === undefined ? '' : `  ${plain(taskId)}`}`;

function endText({ outcome, error, retriable, durationMs, droppedLogLines }: Ended, style: Style): string {
  const dropped = droppedLogLines > 0 ? `; ${droppedLogLines} lines of its log were dropped` : '';
  const took = ` after ${secondsText(durationMs)}${dropped}`;
  const why = error === undefined ? '' : `: ${plain(error.split('\n')[0] ?? '')}`;
  switch (outcome) {
    case 'succeeded':
      return `${style.good('succeeded')}${took}`;
    case 'failed':
      return `${style.bad(retriable === false ? 'failed for good' : 'failed')}${took}${why}`;
    case 'released':
      return `${style.warn('given back')} unstarted`;
    case 'lost':
      return `${style.warn('lease lost')}${took}: another worker takes over`;
    case 'unreported':
      return `${style.warn('not reported')}${took}: the API did not respond in time, so it runs again`;
    default:
      return outcome satisfies never;
  }
}

const secondsText = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** An event of a worker as one line of JSON, without the token. */
export function eventJson(event: WorkerEvent): string {
  if (event.type === 'claim-failed')
    return JSON.stringify({ ...event, error: explain(event.error), retryInMs: Math.round(event.retryInMs) });
  const { jobId, execId, taskId, attempt, fence, dueAt } = event.work;
  const named = { jobId, execId, taskId, attempt, fence, dueAt };
  if (event.type === 'log-failed')
    return JSON.stringify({ type: event.type, ...named, error: explain(event.error) });
  if (event.type === 'started') return JSON.stringify({ type: event.type, ...named });
  const { work: _, durationMs, ...ended } = event;
  return JSON.stringify({ ...ended, ...named, durationMs: Math.round(durationMs) });
}
