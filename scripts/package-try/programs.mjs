/** Both files of a client and its errors are one: an error is an instance of the class that was imported. */
const CLIENT = `const client = new Quarterjack({ url: 'http://127.0.0.1:1', retry: { maxTries: 1 } });
client.jobs.get('a').catch((error) => console.log(error instanceof ConnectionError, typeof verifyDelivery));
`;
const NAMES = '{ ConnectionError, verifyDelivery }';

/** What users write first, by file name. Each prints one line, and has to print it in every combination. */
export const PROGRAMS = {
  'client.mjs': {
    text: `import { Quarterjack } from 'quarterjack';\nimport ${NAMES} from 'quarterjack/client';\n${CLIENT}`,
    prints: 'true function',
  },
  'client.cjs': {
    text: `const { Quarterjack } = require('quarterjack');\nconst ${NAMES} = require('quarterjack/client');\n${CLIENT}`,
    prints: 'true function',
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
