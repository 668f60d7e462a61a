import type { LocalStack } from '../template/stack';
import type { AwsService, Caller } from './aws-call';

/** Whether the caller is a function at the edge, under its own role. */
export type IsAtEdge = (caller: Caller) => boolean;

/**
 * The functions at the edge: what they do leaves this process as HTTP responses alone. The HTTP API waits for
 * the disk before it sends one. So the tables answer them at once. A crash takes away the function, its
 * messages and the answer together.
 *
 * The routes of the template and their authorizers name them. One that also has a queue, a stream or a
 * schedule may call targets, and is none of them.
 */
export function edgeOf(
  stack: Pick<LocalStack, 'functions' | 'httpApi' | 'mappings' | 'streamMappings' | 'schedules'>,
): IsAtEdge {
  const { functions, httpApi, mappings, streamMappings, schedules } = stack;
  const arns = new Set(
    httpApi.routes.flatMap(({ functionArn, authorizer }) => [functionArn, authorizer?.functionArn]),
  );
  for (const { functionArn } of [...mappings, ...streamMappings, ...schedules]) arns.delete(functionArn);
  const logicalIds = new Set(functions.filter(({ arn }) => arns.has(arn)).map(({ logicalId }) => logicalId));
  return ({ functionLogicalId }) => functionLogicalId !== undefined && logicalIds.has(functionLogicalId);
}

/**
 * A service whose calls outlast this process, or are seen from outside. It begins with a call of a function
 * at the edge once all changes so far are on disk.
 */
export const afterDisk = <Service extends AwsService>(
  service: Service,
  { isAtEdge, flushed }: { isAtEdge: IsAtEdge; flushed: () => Promise<void> },
): AwsService => ({
  ...service,
  async call(call) {
    if (isAtEdge(call.caller)) await flushed();
    return service.call(call);
  },
});
