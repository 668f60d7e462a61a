import type { FunctionSpec } from '../../local/template/stack';

/** A function of a stack for the local run: its handler is `handler` of `index.mjs` in the folder. */
export const functionSpec = (name: string, codeDirectory: string): FunctionSpec => ({
  logicalId: name,
  name,
  arn: `arn:${name}`,
  roleArn: 'arn:role',
  codeDirectory,
  handler: 'index.handler',
  timeoutSec: 60,
  memoryMb: 128,
  environment: {},
  reservedConcurrency: undefined,
  asyncInvoke: { maxRetries: 0, maxAgeSec: 60, destinationArn: undefined, deadLetterArn: undefined },
});
