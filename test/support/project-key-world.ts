import type { ProjectPingKeyView } from '../../lambdas/core/http/openapi/ping';
import { PipelineWorld } from './pipeline-world';

export const keyFrom = async (answer: Promise<{ body?: unknown }>): Promise<ProjectPingKeyView> =>
  (await answer).body as ProjectPingKeyView;
export const setKey = (world: PipelineWorld, body?: object) => world.api('putProjectPingKey', {}, body);

/** A key of the project, and a process of the function that has seen no ping yet. */
export async function withKey(body?: object): Promise<{ world: PipelineWorld; url: string }> {
  const world = await PipelineWorld.started(1);
  return { world, url: (await keyFrom(setKey(world, body))).url };
}
