import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { taskExecId } from '../../../lambdas/core/domain/workflow/task-id';
import { listenOnLoopback, workAskedFor } from '../../support/loopback-server';
import type { TargetEnd } from '../../simulation/log';
import type { Timeline } from './timeline';

export interface Receiver {
  url: string;
  /** How many calls of a job have begun. */
  begun(jobId: string): number;
  /** How many calls of a job have ended with their connection, before the answer. */
  cut(jobId: string): number;
  stop(): void;
}

/**
 * The target of all jobs of one user. Records each call and does what the path requests, see `workAskedFor`.
 * The body names the definition that it came from.
 */
export async function startReceiver(userId: string, timeline: Timeline): Promise<Receiver> {
  const begun = new Map<string, number>();
  const cut = new Map<string, number>();
  let calls = 0;
  const server = await listenOnLoopback((request, response) => {
    const header = (name: string): string => String(request.headers[name]);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const jobId = header('quarterjack-job');
      const attempt = Number(header('quarterjack-attempt'));
      const call = ++calls;
      countOne(begun, jobId);
      timeline.add({
        src: 'target',
        type: 'begin',
        call,
        node: 'executor',
        jobKey: jobKeyOf({ userId, jobId }),
        execId: execIdIn(request.headers),
        attempt,
        fence: Number(header('quarterjack-fence')),
        dueAtMs: Date.parse(header('quarterjack-due')),
        deliveryId: header('webhook-id'),
        stamp: (JSON.parse(Buffer.concat(chunks).toString()) as { stamp: string }).stamp,
        offsetMs: 0,
      });
      const { status, ms } = workAskedFor(request.url, attempt);
      const end = (how: TargetEnd['how']) => {
        if (how === 'cut') countOne(cut, jobId);
        timeline.add({ src: 'target', type: 'end', call, how });
      };
      work(ms, response, end, status).catch((error: Error) => response.destroy(error));
    });
  });
  return {
    url: server.url,
    begun: (jobId) => begun.get(jobId) ?? 0,
    cut: (jobId) => cut.get(jobId) ?? 0,
    stop: server.stop,
  };
}

/** The execution that a delivery belongs to: of a task, that of the task. */
function execIdIn(headers: IncomingHttpHeaders): string {
  const run = String(headers['quarterjack-execution']);
  const task = headers['quarterjack-task'];
  if (task === undefined) return run;
  return taskExecId({ run, task: String(task), round: Number(headers['quarterjack-round']) });
}

function countOne(counts: Map<string, number>, jobId: string): void {
  counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
}

/** The end is recorded before the caller can see it. */
async function work(
  ms: number,
  response: ServerResponse,
  end: (how: TargetEnd['how']) => void,
  status: number,
): Promise<void> {
  const onCut = (): void => end('cut');
  response.once('close', onCut);
  await sleep(ms);
  if (response.destroyed) return;
  response.off('close', onCut);
  end(status < 300 ? 'succeeded' : 'failed');
  response.writeHead(status).end();
}
