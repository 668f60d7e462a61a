import { denialMessage } from '../../iam/access';
import { type AwsCall, type AwsReply, type AwsService, awsError, restJson } from '../aws-call';
import type { ExternalResources } from '../external-resources';
import type { MachineExecutions } from '../step-functions/machine-executions';
import { describedDurable, eventsOf, listed } from './durable-execution';

const OF_ARN = /^\/2025-12-01\/durable-executions\/([^/]+)(\/stop|\/history)?$/;
const OF_FUNCTION = /^\/2025-12-01\/functions\/([^/]+)\/durable-executions$/;

/** By the method and the end of the path. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'GET ': 'GetDurableExecution',
  'GET /history': 'GetDurableExecutionHistory',
  'POST /stop': 'StopDurableExecution',
};

/** Starts an execution of a durable function outside the stack, as `Invoke` with a name does. */
export type StartDurable = (functionArn: string, name: string, input: string) => AwsReply;

export const durableStarter =
  (executions: MachineExecutions, external: ExternalResources): StartDurable =>
  (functionArn, name, input) => {
    const started = executions.start(functionArn, name, input);
    if ('alreadyExists' in started)
      return awsError(409, 'DurableExecutionAlreadyStartedException', `${name} exists, with another payload`);
    if (started.isNew) external.record(functionArn, { DurableExecutionName: name, Payload: input });
    return {
      status: 202,
      headers: { 'x-amz-durable-execution-arn': started.execution.arn },
      body: '',
    };
  };

/** What Lambda says of durable executions, and how one stops them. */
export function durableFunctions(executions: MachineExecutions): AwsService {
  const arnIn = ({ path }: AwsCall): string => decodeURIComponent(OF_ARN.exec(path)?.[1] ?? '');
  const functionIn = ({ path }: AwsCall): string => decodeURIComponent(OF_FUNCTION.exec(path)?.[1] ?? '');
  const actions: Readonly<Record<string, (call: AwsCall) => AwsReply>> = {
    GetDurableExecution(call) {
      const execution = executions.get(arnIn(call));
      return execution ? restJson(describedDurable(execution)) : notFound(arnIn(call));
    },
    GetDurableExecutionHistory(call) {
      const execution = executions.get(arnIn(call));
      return execution ? restJson({ Events: eventsOf(execution).toReversed() }) : notFound(arnIn(call));
    },
    StopDurableExecution(call) {
      const { ErrorType, ErrorMessage } = (call.body ? JSON.parse(call.body) : {}) as Record<string, string>;
      const stopped = executions.end(arnIn(call), 'ABORTED', { error: ErrorType, cause: ErrorMessage });
      return stopped ? restJson({ StopTimestamp: stopped.stoppedMs! / 1_000 }) : notFound(arnIn(call));
    },
    ListDurableExecutionsByFunction(call) {
      const name = call.query?.get('DurableExecutionName');
      const found = executions
        .list()
        .filter(({ machineArn }) => `${machineArn}:`.startsWith(`${functionIn(call)}:`))
        .filter((execution) => name === null || execution.name === name);
      return restJson({ DurableExecutions: found.map(listed) });
    },
  };
  return {
    targetPrefix: 'AWSLambdaDurable.',
    operationOf(method, path) {
      if (method === 'GET' && OF_FUNCTION.test(path)) return 'ListDurableExecutionsByFunction';
      const [found, , more = ''] = OF_ARN.exec(path) ?? [];
      return found === undefined ? undefined : OPERATIONS[`${method} ${more}`];
    },
    async call(call) {
      const run = Object.hasOwn(actions, call.action) ? actions[call.action] : undefined;
      return run
        ? run(call)
        : awsError(400, 'UnknownOperationException', `The local run does not support lambda:${call.action}`);
    },
    permissions(call) {
      if (!Object.hasOwn(actions, call.action)) return [];
      const resource = OF_FUNCTION.test(call.path) ? functionIn(call) : arnIn(call);
      return [{ action: `lambda:${call.action}`, resource }];
    },
    denied: (denial) => awsError(403, 'AccessDeniedException', denialMessage(denial)),
    async stop() {
      executions.stop();
    },
  };
}

const notFound = (arn: string): AwsReply =>
  awsError(404, 'ResourceNotFoundException', `Durable execution not found: ${arn}`);
