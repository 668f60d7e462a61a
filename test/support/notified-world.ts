import { DEPTH_HEADER } from '../../lambdas/core/contracts/loop-guard';
import { PipelineWorld } from './pipeline-world';
import type { WorldOptions } from './world-options';

export interface Sent {
  atMs: number;
  kind: string;
  jobId?: string;
  execId?: string;
  count?: number;
  headline: string;
  depth: string;
}

export const GONE = { outcome: 'fatal', statusCode: 410, error: 'gone <!channel>' } as const;

/** Sets a notification with an HTTP target. */
export async function putNotification(world: PipelineWorld, id: string, definition: object): Promise<void> {
  const target = { type: 'http', url: 'https://hooks.example.com/ops' };
  const answer = world.api('putNotification', { id }, { target, ...definition });
  expect((await world.clock.settle(answer)).status).toBeLessThan(300);
}

/** A world, and what the targets of its notifications are sent. */
export async function observed(options?: WorldOptions) {
  const world = await PipelineWorld.started(1, 30, options);
  const sent: Sent[] = [];
  const failing = new Set<string>();
  let last = '';
  world.observe = (delivery) => {
    last = delivery.headers['quarterjack-job']!;
    if (!last.startsWith('~n-')) return;
    const { kind, job, execution, problems, headline } = JSON.parse(delivery.body.toString()) as {
      kind: string;
      headline: string;
      job?: { jobId: string };
      execution?: { execId: string };
      problems?: { count: number };
    };
    sent.push({
      atMs: world.clock.nowMs(),
      kind,
      headline,
      depth: delivery.headers[DEPTH_HEADER]!,
      ...(job && { jobId: job.jobId }),
      ...(execution && { execId: execution.execId }),
      ...(problems && { count: problems.count }),
    });
  };
  world.behaviour = () => (failing.has(last) ? GONE : { outcome: 'succeeded', statusCode: 200 });
  return { world, sent, failing };
}
