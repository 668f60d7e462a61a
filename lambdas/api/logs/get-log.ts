import { instantText, SECOND_MS } from '../../core/clock/clock';
import type { Execution } from '../../core/domain/execution';
import { isTerminal } from '../../core/domain/transitions';
import { roundOf } from '../../core/domain/workflow/marks';
import { taskExecId } from '../../core/domain/workflow/task-id';
import { ExecutionLogQuery, type LogQuery, TaskLogQuery } from '../../core/http/log';
import type { LogPage } from '../../core/http/openapi/work';
import type { ExecutionRef } from '../../core/store/execution-store';
import type { StoredLine } from '../../core/store/log-store';
import { findReadable } from '../executions/find-execution';
import { openCursor, sealCursor } from '../http/paging';
import { readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { findTask } from '../runs/find-run';

/** Lines of an attempt may come this long after its end. */
const LATE_MS = 60 * SECOND_MS;

/** 200 with a page of the log of an execution. */
export async function getExecutionLog(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, ExecutionLogQuery);
  const { execution } = await findReadable(request, deps);
  return page(request, query, execution, mayGrow(execution, deps), deps);
}

/** 200 with a page of the log of a task of a run. */
export async function getTaskLog(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, TaskLogQuery);
  const { run, task } = await findTask(request, deps);
  const round = query.round ?? roundOf(run.run, task.index);
  const ref = {
    jobKey: run.jobKey,
    execId: taskExecId({
      run: run.execId,
      task: task.id,
      round,
      ...(query.item !== undefined && { item: query.item }),
    }),
  };
  const row = await deps.executions.get(ref);
  const growing = row ? mayGrow(row, deps) : !isTerminal(run.status);
  return page(request, query, ref, growing, deps);
}

const mayGrow = (
  {
    status,
    finishedAtMs = 0,
  }: Pick<Execution, 'finishedAtMs'> & { status: Execution['status'] | 'scheduled' },
  { clock }: ApiDeps,
): boolean => !isTerminal(status) || clock.nowMs() - finishedAtMs <= LATE_MS;

/** Where a log begins. */
const START = '';

async function page(
  request: ApiRequest,
  { after, attempt, limit }: LogQuery,
  ref: ExecutionRef,
  growing: boolean,
  deps: ApiDeps,
): Promise<ApiResponse> {
  const position = await openCursor(after, request, deps.secret, 'after');
  const found = await linesAfter(ref, { position: position ?? START, attempt, limit }, deps);
  const goesOn = found.more || growing;
  const nextCursor = goesOn ? await sealCursor(found.position, request, deps.secret) : null;
  if (isPlain(request)) {
    return {
      status: 200,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        ...(nextCursor !== null && { 'quarterjack-next-cursor': nextCursor }),
      },
      body: found.lines.map(({ text }) => `${text}\n`).join(''),
    };
  }
  const items = found.lines.map(({ attempt: of, atMs, stream, text }) => ({
    attempt: of,
    at: instantText(atMs),
    stream,
    text,
  }));
  return { status: 200, body: { items, nextCursor } satisfies LogPage };
}

const isPlain = ({ headers }: ApiRequest): boolean => headers.accept?.startsWith('text/plain') === true;

const CHUNKS_A_READ = 20;
/** Lambda returns at most 6 MB, in which our JSON is a string: each of its quotes counts twice. */
const MOST_BYTES = 1_500_000;

interface LinePage {
  lines: (StoredLine & { attempt: number })[];
  /** To continue after. */
  position: string;
  /** Whether there are more lines now. */
  more: boolean;
}

/**
 * Lines of a log after a position: the position of a chunk, and how many of its lines were seen. A page ends
 * after `limit` lines, or after 1.5 MB.
 */
async function linesAfter(
  ref: ExecutionRef,
  { position, attempt, limit }: { position: string; attempt: number | undefined; limit: number },
  { logs }: Pick<ApiDeps, 'logs'>,
): Promise<LinePage> {
  const lines: LinePage['lines'] = [];
  let bytes = 0;
  let at = position;
  let from = seenOf(position);
  for (;;) {
    const { after, seen } = from;
    const read = await logs.read(ref, { ...(after !== '' && { after }), limit: CHUNKS_A_READ });
    for (const chunk of read.chunks) {
      const isSeen = seen !== undefined && chunk.position < seen.chunk;
      if (isSeen || (attempt !== undefined && chunk.attempt !== attempt)) continue;
      for (const [index, line] of chunk.lines.entries()) {
        if (chunk.position === seen?.chunk && index < seen.lines) continue;
        const length = Buffer.byteLength(line.text);
        if (lines.length === limit || (bytes + length > MOST_BYTES && lines.length > 0))
          return { lines, position: at, more: true };
        bytes += length;
        lines.push({ ...line, attempt: chunk.attempt });
        at = `${chunk.position}/${index + 1}`;
      }
    }
    if (read.nextAfter === undefined) return { lines, position: at, more: false };
    from = { after: read.nextAfter, seen: undefined };
  }
}

interface Seen {
  chunk: string;
  lines: number;
}

/**
 * Where to read on, so that the chunk of the position comes once more: lines of it may be unseen. Texts that
 * are one character shorter sort before it.
 */
function seenOf(position: string): { after: string; seen: Seen | undefined } {
  if (position === '') return { after: '', seen: undefined };
  const [chunk = '', lines = '0'] = position.split('/');
  return { after: chunk.slice(0, -1), seen: { chunk, lines: Number(lines) } };
}
