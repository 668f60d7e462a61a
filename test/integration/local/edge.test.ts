import { join } from 'node:path';

import { build } from 'esbuild';

import { edgeOf } from '../../../local/services/edge';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { synthesize } from '../../../local/template/synthesize';

const ROOT = join(__dirname, '../../..');
const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
/** What calls targets, and starts work that an attempt waits for. */
const CALLS = [
  'lambdas/core/delivery/call/call-target.ts',
  'lambdas/core/delivery/call/http.ts',
  'lambdas/core/delivery/errands/errand-calls.ts',
];

/** The stages of the functions at the edge of the local stack. */
async function stagesAtEdge(): Promise<string[]> {
  const stack = readStack(readAssembly(await synthesize()), AWS);
  const isAtEdge = edgeOf(stack);
  const caller = { accessKeyId: 'k', functionName: undefined, roleArn: undefined };
  return stack.functions
    .map(({ logicalId }) => logicalId)
    .filter((functionLogicalId) => isAtEdge({ ...caller, functionLogicalId }))
    .map((logicalId) => /^(?:Stages)?([A-Z][a-z]+)Function/.exec(logicalId)?.[1]?.toLowerCase() ?? logicalId);
}

/** The files that are bundled for a stage, those of `import()` too. */
async function filesOf(stage: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`lambdas/${stage}/handler.ts`],
    outdir: 'bundle', // nothing is written there
    ...{ write: false, bundle: true, metafile: true, format: 'esm', platform: 'node', packages: 'external' },
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

test('functions that have answers before the disk have no code that calls targets', async () => {
  const stages = await stagesAtEdge();
  expect(stages).toEqual(['authorizer', 'api', 'worker', 'ping', 'console']);
  for (const stage of stages) {
    const files = await filesOf(stage);
    expect([stage, CALLS.filter((file) => files.includes(file))]).toEqual([stage, []]);
  }
  expect(await filesOf('executor')).toEqual(expect.arrayContaining(CALLS));
});
