import { everywhere, onAws, type Step } from '../check';
import type { AwsSite, Site } from '../site/site';
import { histogramOf, histogramText, percentileOf } from './histogram';
import { measureDelays } from './delays';

/** SQS counts delays in whole seconds of its own clock. */
const EARLY_LIMIT_MS = 1_000;
const LATE_LIMIT_MS = 200;

export const substrate: Step = {
  name: 'substrate',
  title: 'Substrate: DynamoDB and SQS behave as the design assumes',
  checks: [
    onAws('substrate/dynamodb', 'The suite of the stores passes on DynamoDB', suiteOfStores, 'long'),
    onAws('substrate/sqs', 'The suite of the queues passes on SQS', suiteOfQueues, 'long'),
    everywhere('substrate/delays', 'Each delayed message arrives once, and never a second early', delays),
    onAws('substrate/delay-precision', '99 of 100 delayed messages are less than 0.2 s late', precision),
  ],
};

/** How late each message was, in milliseconds; negative: early. */
const offsets = (site: Site) => site.once('delays', () => measureDelays(site));

async function delays(site: Site) {
  const { sent, offsetsMs, twice } = await offsets(site);
  const early = offsetsMs.filter((ms) => ms < -EARLY_LIMIT_MS).length;
  return {
    holds: offsetsMs.length === sent && early === 0 && twice === 0,
    detail: `${offsetsMs.length} of ${sent} arrived, ${twice} twice, ${early} early; ${histogramText(offsetsMs)}`,
    figures: { sent, twice, histogram: histogramOf(offsetsMs) },
  };
}

async function precision(site: AwsSite) {
  const { offsetsMs } = await offsets(site);
  const [p1, p50, p99] = [0.01, 0.5, 0.99].map((share) => percentileOf(offsetsMs, share)) as [
    number,
    number,
    number,
  ];
  const holds = p1 >= -EARLY_LIMIT_MS && p99 <= LATE_LIMIT_MS;
  const detail = `p1 ${p1} ms, p50 ${p50} ms, p99 ${p99} ms`;
  // What is late by this much has to be sent this much earlier; LEAD_MS allows a second.
  const advice = holds ? '' : `; set the lead to ${Math.min(1_000, Math.ceil(300 + Math.max(0, p99)))} ms`;
  return { holds, detail: detail + advice, figures: { p1, p50, p99 } };
}

async function suiteOfStores({ exec }: AwsSite) {
  const args = ['jest', 'test/conformance/store-on-emulators.test.ts', '-t', 'aws'];
  await exec('npx', args, { env: { QUARTERJACK_DYNAMODB_ENDPOINT: 'aws' } });
  return { holds: true, detail: 'the suite passed; its tables are deleted' };
}

async function suiteOfQueues({ exec }: AwsSite) {
  const args = ['jest', 'test/conformance/queue.test.ts', '-t', 'aws'];
  await exec('npx', args, { env: { QUARTERJACK_SQS_ENDPOINT: 'aws' } });
  return { holds: true, detail: 'the suite passed; its queues are deleted' };
}
