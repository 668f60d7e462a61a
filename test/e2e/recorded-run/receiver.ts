import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { TargetEnd } from '../../simulation/log';
import type { Timeline } from './timeline';

export interface Receiver {
  url: string;
  /** How many calls of a job have begun. */
  begun(jobId: string): number;
  stop(): void;
}

/**
 * The target of all jobs of one user; notes what reaches it. `/<answer>/<ms>` answers with that status after so many
 * milliseconds of work; `/flaky/<ms>` with 503 to the first attempt. The body says which definition it came from.
 */
export async function startReceiver(userId: string, timeline: Timeline): Promise<Receiver> {
  const begun = new Map<string, number>();
  let calls = 0;
  const server = createServer((request, response) => {
    const header = (name: string): string => String(request.headers[name]);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const jobId = header('quarterjack-job');
      const attempt = Number(header('quarterjack-attempt'));
      const call = ++calls;
      begun.set(jobId, (begun.get(jobId) ?? 0) + 1);
      timeline.add({
        src: 'target',
        type: 'begin',
        call,
        node: 'executor',
        jobKey: jobKeyOf({ userId, jobId }),
        execId: header('quarterjack-execution'),
        attempt,
        fence: Number(header('quarterjack-fence')),
        dueAtMs: Date.parse(header('quarterjack-due')),
        deliveryId: header('webhook-id'),
        stamp: (JSON.parse(Buffer.concat(chunks).toString()) as { stamp: string }).stamp,
        offsetMs: 0,
      });
      const [, answer, ms] = (request.url ?? '').split('/');
      const status = answer === 'flaky' ? (attempt === 1 ? 503 : 200) : Number(answer);
      const end = (how: TargetEnd['how']) => timeline.add({ src: 'target', type: 'end', call, how });
      work(Number(ms), response, end, status).catch((error: Error) => response.destroy(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begun: (jobId) => begun.get(jobId) ?? 0,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The end is noted before the caller can know of it. */
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
