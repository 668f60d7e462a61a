import { denialMessage } from '../../iam/access';
import { type AwsReply, type AwsService, awsError, jsonOf, type Permission } from '../aws-call';
import type { Works } from './works';

interface Served {
  /** What messages call the service. */
  name: string;
  targetPrefix: string;
  actions: Readonly<Record<string, (body: unknown) => AwsReply>>;
  permissions(action: string, body: Record<string, unknown>): Permission[];
}

/** A service whose calls have JSON bodies, and start, read and stop such work. */
export const servedWorks = (
  works: Works,
  { name, targetPrefix, actions, permissions }: Served,
): AwsService => ({
  targetPrefix,
  async call(call) {
    const run = Object.hasOwn(actions, call.action) ? actions[call.action] : undefined;
    return run
      ? run(jsonOf(call))
      : awsError(400, 'UnknownOperationException', `The local run does not support ${name} ${call.action}`);
  },
  permissions: (call) =>
    Object.hasOwn(actions, call.action)
      ? permissions(call.action, jsonOf(call) as Record<string, unknown>)
      : [],
  denied: (denial) => awsError(403, 'AccessDeniedException', denialMessage(denial)),
  async stop() {
    works.stop();
  },
});
