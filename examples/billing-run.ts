/**
 * A billing run as a workflow: usage is collected, then invoices are made and tax is checked side by side,
 * then all is sent. A check that fails stops nothing here, and a finally task reports in any case.
 */
import type { Workflow } from 'quarterjack';

import { example, say, startTarget } from './example';

const JOB_ID = 'billing-run';

example(async (client) => {
  const called: string[] = [];
  const billing = await startTarget(client, (delivery) => {
    const { step } = delivery.json<{ step: string }>();
    called.push(step);
    // The tax office does not answer today. Its task may fail.
    return step === 'check-tax' ? 400 : 200;
  });
  const task = (step: string, dependsOn: string[] = []) => ({
    target: { type: 'http', url: billing.url } as const,
    input: { step, month: '{{ run.day }}' },
    dependsOn,
  });
  const workflow: Workflow = {
    onTaskFailure: 'stop',
    tasks: {
      'collect-usage': task('collect-usage'),
      'make-invoices': task('make-invoices', ['collect-usage']),
      'check-tax': { ...task('check-tax', ['collect-usage']), allowFailure: true },
      // Invoices have to be made; the check of the tax only has to be over.
      'send-invoices': {
        ...task('send-invoices'),
        dependsOn: ['make-invoices', { task: 'check-tax', if: 'done' }],
      },
      report: { ...task('report'), finally: 'always' },
    },
  };
  try {
    await client.jobs.put(JOB_ID, {
      schedule: { type: 'cron', expression: '0 6 1 * *', timezone: 'Europe/Berlin' },
      // The next month waits until this one is billed.
      overlap: 'queue',
      timeout: '6h',
      workflow,
    });
    const { execId } = await client.jobs.run(JOB_ID);
    const run = await client.executions.wait(JOB_ID, execId);
    for await (const { taskId, status } of client.tasks.list(JOB_ID, execId)) say(`${taskId}: ${status}`);
    say(`the run has ${run.status}`);

    if (run.status !== 'succeeded') throw new Error(`the run is ${run.status}`);
    if (called[0] !== 'collect-usage' || called.at(-1) !== 'report')
      throw new Error(`the tasks were called in the order ${called.join(', ')}`);
    await client.jobs.delete(JOB_ID);
  } finally {
    billing.stop();
  }
});
