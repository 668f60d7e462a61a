import { setTimeout as sleep } from 'node:timers/promises';

import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';

import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import { check } from '../../simulation/checker';
import type { EndRecord, LogConditions, SimulationLog } from '../../simulation/log';
import { Host } from '../../support/local/host';
import { eventually } from '../../support/eventually';
import { Client } from './client';
import { load } from './load';
import { startReceiver } from './receiver';
import { rowHistory } from './row-history';
import { Timeline } from './timeline';

/** The user of the host's token. */
const USER = 'alice';
const CONDITIONS: LogConditions = {
  mode: 'safety',
  skewMs: 0,
  wildClocks: false,
  patience: { settledMs: 5_000, endsWithinMs: 0, changeMarginMs: 1_000 },
};
/** A lease has to become stale, and the sweeper runs once a minute. */
const QUIET_WITHIN_MS = 180_000;
const POLL_EVERY_MS = 2_000;

/**
 * Runs the real stack under a load, kills executors, and waits until nothing is open. The log has the
 * client's requests, the target's calls and each written row, all by the one clock of this machine.
 */
export async function recordRun(): Promise<SimulationLog> {
  const timeline = new Timeline();
  const receiver = await startReceiver(USER, timeline);
  const host = await Host.start({ port: 0, dataDir: undefined, keepsRowWrites: true });
  const { awsEndpointUrl: endpoint, region, operator: credentials } = host.run;
  const sqs = new SQSClient({ endpoint, region, credentials });
  try {
    await load({
      client: new Client(USER, host.run, timeline),
      receiver,
      killExecutor: () => host.killWorker('StagesExecutor'),
      async running(jobId) {
        const jobKey = jobKeyOf({ userId: USER, jobId });
        const one = await eventually(
          async () => rowHistory(await host.rowWrites()).left.executions.find((row) => row.jobKey === jobKey),
          (row) => row?.status === 'running',
        );
        return one!.execId;
      },
    });
    return await atRest(host, sqs, timeline);
  } finally {
    sqs.destroy();
    await host.stop();
    receiver.stop();
  }
}

/** Polls until the checker finds nothing open. */
async function atRest(host: Host, sqs: SQSClient, timeline: Timeline): Promise<SimulationLog> {
  const untilMs = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const messages = await messagesIn(host.run.queueUrls, sqs);
    const { records, left } = rowHistory(await host.rowWrites());
    const end: EndRecord = { src: 'run', type: 'end', ...left, ...messages };
    const log = {
      conditions: CONDITIONS,
      records: timeline.with([...records, { t: Date.now(), happening: end }]),
    };
    const open = messages.queued.count > 0 || check(log).some(({ mayHeal }) => mayHeal);
    if (!open || Date.now() > untilMs) return log;
    await sleep(POLL_EVERY_MS);
  }
}

/** Counts messages that are ready or in flight, and dead letters. SQS does not report their age. */
async function messagesIn(
  queueUrls: Record<string, string>,
  sqs: SQSClient,
): Promise<Pick<EndRecord, 'queued' | 'deadLetters'>> {
  const counts = { queued: { count: 0 }, deadLetters: 0 };
  for (const [logicalId, QueueUrl] of Object.entries(queueUrls)) {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const ready = Number(Attributes!.ApproximateNumberOfMessages);
    if (/dead/i.test(logicalId)) counts.deadLetters += ready;
    else counts.queued.count += ready;
  }
  return counts;
}
