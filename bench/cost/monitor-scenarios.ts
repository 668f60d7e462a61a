import { lazy } from '../../lambdas/core/async/cached';
import { MINUTE_MS, SECOND_MS } from '../../lambdas/core/clock/clock';
import { EVERY_MINUTE } from './jobs';
import { FEW, inWindow, LIFE_MS, oneMore, started, USUAL, WINDOW_MINUTES } from './lives';
import type { MeteredDeployment } from './metered-deployment';
import { pingFunctionOf } from './ping-function';
import { difference, type Totals } from './usage';

/** When the first ping of a minute comes, and how long after it the next one. */
const FIRST_PING_MS = 5 * SECOND_MS;
const NEXT_PING_MS = 20 * SECOND_MS;
/** What a log keeps in a row below 1 KB. */
const BODY = new TextEncoder().encode('copied 3 tables of 4\n'.repeat(20));

interface Pinged {
  /** What stands behind the URL in each minute, in this order. */
  signals: readonly string[];
  body?: Uint8Array;
  /** Whether pings come by the URL of the project. */
  bySlug?: boolean;
}

/** One occurrence of a monitor that is due each minute. */
const occurrence = (pinged: Pinged): Promise<Totals> =>
  oneMore(
    async (count) => {
      const deployment = await started();
      const urls: string[] = [];
      for (let index = 0; index < count; index++) urls.push(await monitorUrl(deployment, index, pinged));
      void pingForEver(deployment, urls, pinged);
      return inWindow(deployment);
    },
    USUAL,
    WINDOW_MINUTES,
  );

async function monitorUrl(
  deployment: MeteredDeployment,
  index: number,
  { bySlug = false }: Pinged,
): Promise<string> {
  const jobId = `monitor-${String(index).padStart(6, '0')}`;
  const target = { type: 'monitor', pingWithin: '1m' };
  await deployment.request('createJob', {}, { jobId, schedule: EVERY_MINUTE, target });
  if (bySlug) return `${await projectUrl(deployment)}/${jobId}`;
  return ((await deployment.request('getPingKey', { jobId })) as { url: string }).url;
}

const projectUrl = async (deployment: MeteredDeployment): Promise<string> =>
  ((await deployment.request('putProjectPingKey', {}, { allowCreate: true })) as { url: string }).url;

async function pingForEver(
  deployment: MeteredDeployment,
  urls: readonly string[],
  { signals, body }: Pinged,
): Promise<void> {
  const { clock } = deployment;
  const ping = pingFunctionOf(deployment);
  for (;;) {
    await clock.sleep(MINUTE_MS - (clock.nowMs() % MINUTE_MS) + FIRST_PING_MS);
    const minuteMs = clock.nowMs() - FIRST_PING_MS;
    for (const [index, signal] of signals.entries()) {
      const atMs = minuteMs + FIRST_PING_MS + index * NEXT_PING_MS;
      await clock.sleep(Math.max(0, atMs - clock.nowMs()));
      for (const url of urls) await ping(url + signal, body);
    }
  }
}

const onePing = lazy(() => occurrence({ signals: [''] }));

/** The body of a ping, of less than 1 KB. */
const pingBody = async (): Promise<Totals> =>
  difference(await occurrence({ signals: [''], body: BODY }), await onePing());

/** From the first ping with `create=1` to the last recheck of the monitor that it makes. */
const madeMonitor = (): Promise<Totals> =>
  oneMore(async (count) => {
    const deployment = await started();
    const url = await projectUrl(deployment);
    const ping = pingFunctionOf(deployment);
    for (let index = 0; index < count; index++)
      await deployment.clock.settle(ping(`${url}/made-${String(index).padStart(6, '0')}?create=1`));
    await deployment.run(LIFE_MS);
    return deployment.totals();
  }, FEW);

/** What monitors cost, for each occurrence unless it says otherwise. */
export const MONITOR_SCENARIOS = {
  monitorPing: onePing,
  monitorStartEnd: () => occurrence({ signals: ['/start', '/0'] }),
  monitorMissed: () => occurrence({ signals: [] }),
  monitorFailure: () => occurrence({ signals: ['/3'] }),
  projectPing: () => occurrence({ signals: [''], bySlug: true }),
  /** A ping that says what is known. */
  repeatedPing: async () => difference(await occurrence({ signals: ['', ''] }), await onePing()),
  pingBody,
  madeMonitor,
} satisfies Record<string, () => Promise<Totals>>;
