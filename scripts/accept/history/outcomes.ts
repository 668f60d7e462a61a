import type { Finding } from '../check';
import { createJobs, type ExecutionView, executionsOf, inTime, once, soon } from '../jobs';
import { repeated } from '../repeat';
import type { AwsSite, Site } from '../site/site';
import type { Arrival } from '../receiver/receiver';
import { until } from '../until';

const SECOND_MS = 1_000;
/** Longer than a lease lasts without a heartbeat. */
const SLOW_MS = 90_000;
/** The index of failures follows the table within a second or so. */
const LISTED_WITHIN_MS = 10_000;
const GAP_MS = 200;

/** Creates a one-time job that calls this path, and waits until its execution has ended. */
async function ended(site: Site, name: string, path: string, more: object = {}): Promise<ExecutionView> {
  const jobId = await started(site, name, path, more);
  const isOver = (all: ExecutionView[]) => ['succeeded', 'failed'].includes(all[0]?.status ?? '');
  const [execution] = await until(site, () => executionsOf(site, jobId), isOver);
  if (!execution) throw new Error(`${jobId} has no execution`);
  return execution;
}

async function started(site: Site, name: string, path: string, more: object = {}): Promise<string> {
  const { url } = await site.receiver();
  const jobId = idOf(site, name);
  await createJobs(site, [{ jobId, definition: soon(url + path, more) }]);
  return jobId;
}

const idOf = ({ run }: Site, name: string): string => `accept-${run}-${name}`;

const outcomesOf = ({ attempts }: ExecutionView): string => attempts.map(({ outcome }) => outcome).join(', ');

export async function retried(site: Site): Promise<Finding> {
  const retry = { maxAttempts: 2, initialDelay: '1s', jitter: 'none' };
  const execution = await ended(site, 'flaky', '/flaky', { retry });
  const holds = execution.status === 'succeeded' && execution.attempts.length === 2;
  return { holds, detail: `${execution.status} after ${outcomesOf(execution)}` };
}

export async function fatal(site: Site): Promise<Finding> {
  const { status, attempts } = await ended(site, 'gone', '/404');
  const listed = async () => {
    const { body } = await site.api({ operation: 'listFailures' });
    return (body as { items: { jobId: string }[] }).items.some(({ jobId }) => jobId === idOf(site, 'gone'));
  };
  const patienceMs = site.kind === 'aws' ? LISTED_WITHIN_MS : site.sizes.patienceMs;
  const isListed = await until(site, listed, Boolean, patienceMs);
  return {
    holds: status === 'failed' && attempts.length === 1 && isListed,
    detail: `${status} after ${attempts.length} attempts, ${isListed ? 'listed' : 'not listed'} in /v1/failures`,
  };
}

/** The arrival of an `async` job, once: its token is what the reports need. */
const asyncArrival = (site: Site): Promise<Arrival> =>
  site.once('async arrival', async () => {
    const { url, arrivals } = await site.receiver();
    const jobId = idOf(site, 'async');
    const target = { type: 'http', url: `${url}/202`, mode: 'async' };
    const definition = soon(url, { target, timeout: '5m' });
    await createJobs(site, [{ jobId, definition }]);
    const [arrival] = await until(
      site,
      () => arrivals(jobId),
      (all) => all.length > 0,
    );
    if (!arrival) throw new Error(`${jobId} has not arrived`);
    return arrival;
  });

const report = (arrival: Arrival, { sleep }: Site): Promise<number> =>
  repeated(
    () => reportOnce(arrival),
    (status) => status === 503,
    sleep,
  );

async function reportOnce({ callback, token }: Arrival): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${callback}/complete`, {
    method: 'POST',
    headers,
    body: '{"result":"done"}',
  });
  await response.arrayBuffer();
  return response.status;
}

export async function asyncReport(site: Site): Promise<Finding> {
  const arrival = await asyncArrival(site);
  const status = await site.once('first report', () => report(arrival, site));
  const [execution] = await until(
    site,
    () => executionsOf(site, arrival.jobId),
    ([first]) => first?.status === 'succeeded',
  );
  return {
    holds: status === 200 && execution?.status === 'succeeded',
    detail: `report answered ${status}; the execution is ${execution?.status}`,
  };
}

export async function lateReport(site: Site): Promise<Finding> {
  const arrival = await asyncArrival(site);
  await site.once('first report', () => report(arrival, site));
  const status = await report(arrival, site);
  return { holds: status === 409, detail: `answered ${status}` };
}

export async function ordering(site: Site): Promise<Finding> {
  const { url, arrivals } = await site.receiver();
  const prefix = await inTime(site, 3 * SECOND_MS, async (firstMs, tryNumber) => {
    const orderingKey = idOf(site, `ordered-${tryNumber}-`);
    const jobs = [1, 2, 3].map((number, index) => ({
      jobId: orderingKey + number,
      definition: once(firstMs + index * GAP_MS, `${url}/200`, { orderingKey }),
    }));
    await createJobs(site, jobs);
    return orderingKey;
  });
  const seen = await until(
    site,
    () => arrivals(prefix),
    (all) => all.length >= 3,
  );
  const order = seen.map(({ jobId }) => jobId.slice(prefix.length)).join(', ');
  return { holds: order === '1, 2, 3', detail: `arrived: ${order || 'none'}` };
}

export async function slowTarget(site: AwsSite): Promise<Finding> {
  const timeout = `${(2 * SLOW_MS) / SECOND_MS}s`;
  const { url, arrivals } = await site.receiver();
  const target = { type: 'http', url: `${url}/slow/${SLOW_MS}`, timeout };
  const execution = await ended(site, 'slow', '/200', { target, timeout });
  const calls = (await arrivals(idOf(site, 'slow'))).length;
  return {
    holds: execution.status === 'succeeded' && calls === 1,
    detail: `${execution.status}, called ${calls} times in ${SLOW_MS / SECOND_MS} s`,
  };
}
