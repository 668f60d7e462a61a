/** What users write first, by file name. Each prints one line, and has to print it in every combination. */
export const PROGRAMS = {
  'client.mjs': {
    text: "import { Quarterjack } from 'quarterjack';\nimport { verifyDelivery } from 'quarterjack/client';\nconsole.log(typeof Quarterjack, typeof verifyDelivery);\n",
    prints: 'function function',
  },
  'client.cjs': {
    text: "const { Quarterjack } = require('quarterjack');\nconst client = require('quarterjack/client');\nconsole.log(Quarterjack === client.Quarterjack);\n",
    prints: 'true',
  },
  'worker.mjs': {
    text: "import { Worker } from 'quarterjack/worker';\nconsole.log(typeof Worker);\n",
    prints: 'function',
  },
  'worker.cjs': {
    text: "const { Worker } = require('quarterjack/worker');\nconsole.log(typeof Worker);\n",
    prints: 'function',
  },
};

const STACK = `const stack = new Stack(new App(), 'Shop');
new Quarterjack(stack, 'Jobs');
console.log(Object.keys(stack.node.tryFindChild('Jobs') ?? {}).length > 0);
`;

/** The same for the construct, which needs the CDK. */
export const CDK_PROGRAMS = {
  'stack.mjs': {
    text: `import { App, Stack } from 'aws-cdk-lib';\nimport { Quarterjack } from 'quarterjack/cdk';\n${STACK}`,
    prints: 'true',
  },
  'stack.cjs': {
    text: `const { App, Stack } = require('aws-cdk-lib');\nconst { Quarterjack } = require('quarterjack/cdk');\n${STACK}`,
    prints: 'true',
  },
};

/** Compiled under the strictest settings, and never run. */
export const TYPES = `import { Quarterjack } from 'quarterjack';
import { type Execution, verifyDelivery } from 'quarterjack/client';
import { Worker } from 'quarterjack/worker';
const client = new Quarterjack({ url: '', token: process.env.TOKEN });
export const all = (): Promise<Execution[]> => client.executions.list('job').toArray();
export const worker = new Worker({ url: '', queue: 'q', handler: ({ payload }) => Promise.resolve(payload) });
// @ts-expect-error: a client needs a URL
export const wrong = new Quarterjack({});
export const verify = verifyDelivery;
`;

export const CDK_TYPES = `import { App, Stack } from 'aws-cdk-lib';
import { Quarterjack } from 'quarterjack/cdk';
export const jobs = new Quarterjack(new Stack(new App(), 'Shop'), 'Jobs', { shardCount: 4 });
// @ts-expect-error: no such property
export const wrong = new Quarterjack(new Stack(new App(), 'Shop'), 'Jobs', { shardCont: 4 });
`;
