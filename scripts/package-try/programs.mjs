/** An error of the client is an instance of the class that comes with the worker. */
const CLIENT = `const client = new Quarterjack({ url: 'http://127.0.0.1:1', retry: { maxTries: 1 } });
client.jobs.get('a').catch((error) => console.log(error instanceof ConnectionError, typeof verifyDelivery));
`;

/** What users write first, by file name. Each prints one line, and has to print it in every combination. */
export const PROGRAMS = {
  'client.mjs': {
    text: `import { Quarterjack, verifyDelivery } from 'quarterjack';
import { ConnectionError } from 'quarterjack/worker';
${CLIENT}`,
    prints: 'true function',
  },
  'client.cjs': {
    text: `const { Quarterjack, verifyDelivery } = require('quarterjack');
const { ConnectionError } = require('quarterjack/worker');
${CLIENT}`,
    prints: 'true function',
  },
  'jobs.mjs': {
    text: `import { defineJob, every, testJob } from 'quarterjack/jobs';
const job = defineJob({ id: 'hello', schedule: every('1h'), run: ({ dueAt }) => dueAt.getTime() });
testJob(job, { now: new Date(7) }).then(({ result }) => console.log(result));
`,
    prints: '7',
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

/** An app of another author: a job of the stack calls a queue of the stack. Prints what was synthesized. */
const STACK = `const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Shop');
const jobs = new Quarterjack(stack, 'Jobs');
const target = jobs.addQueueTarget(new Queue(stack, 'Queue'));
new ScheduledJob(stack, 'Nightly', {
  quarterjack: jobs,
  job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target },
});
const { template } = app.synth().getStackByName('Shop');
const made = Object.values(template.Resources).filter(({ Type }) => Type === 'Custom::QuarterjackJob');
console.log(made.length, 'job');
`;
const SYNTHESIZED = '1 job';

/** Programs that use the construct, which needs the CDK. */
export const CDK_PROGRAMS = {
  'stack.mjs': {
    text: `import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Quarterjack, ScheduledJob } from '@quarterjack/cdk';
${STACK}`,
    prints: SYNTHESIZED,
  },
  'stack.cjs': {
    text: `const { App, Stack } = require('aws-cdk-lib');
const { Queue } = require('aws-cdk-lib/aws-sqs');
const { Quarterjack, ScheduledJob } = require('@quarterjack/cdk');
${STACK}`,
    prints: SYNTHESIZED,
  },
};

/** Compiled under the strictest settings, and never run. */
export const TYPES = `import { Quarterjack } from 'quarterjack';
import { type Execution, verifyDelivery } from 'quarterjack';
import { Worker } from 'quarterjack/worker';
const client = new Quarterjack({ url: '', token: process.env.TOKEN });
export const all = (): Promise<Execution[]> => client.executions.list('job').toArray();
export const worker = new Worker({ url: '', queue: 'q', handler: ({ payload }) => Promise.resolve(payload) });
// @ts-expect-error: a client needs a URL
export const wrong = new Quarterjack({});
export const verify = verifyDelivery;
`;

export const CDK_TYPES = `import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Quarterjack, ScheduledJob } from '@quarterjack/cdk';
const stack = new Stack(new App(), 'Shop');
const jobs = new Quarterjack(stack, 'Jobs', { shardCount: 4 });
const target = jobs.addQueueTarget(new Queue(stack, 'Queue'));
export const nightly = new ScheduledJob(stack, 'Nightly', {
  quarterjack: jobs,
  job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target },
});
// @ts-expect-error: no such property
export const wrong = new Quarterjack(stack, 'Typo', { shardCont: 4 });
// @ts-expect-error: no such schedule
new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job: { schedule: { type: 'hourly' }, target } });
`;
