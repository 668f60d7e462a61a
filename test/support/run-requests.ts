import type { Call } from './dynamo/memory-dynamo';
import type { WorkflowWorld } from './workflow-world';

type Body = Record<string, unknown> & { detail?: string };

/** A request about the job of the world. */
export const ask = async (flow: WorkflowWorld, operation: string, params: object, body?: object) => {
  const answer = await flow.world.api(operation as never, { jobId: flow.jobId, ...params } as never, body);
  return { status: answer.status, body: answer.body as Body };
};

/** Whether a call updates a row by an expression with this text. */
export const writesRun =
  (text: string) =>
  ({ command, input }: Call) =>
    command === 'UpdateCommand' && String(input.UpdateExpression).includes(text);
