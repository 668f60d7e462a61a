import type { FakeExecution } from '../../support/work-server';
import type { Driver } from '../suite/driver';
import type { Own, Sdk } from '../suite/sdk';
import { HeldWorkServer } from '../suite/work-server';

export type Step = Record<string, unknown>;

export const HEARTBEAT = '/v1/attempts/heartbeat';
export const CLAIM = '/v1/work/claim';
export const COMPLETE = '/v1/attempts/complete';
export const FAIL = '/v1/attempts/fail';
export const LOG = '/v1/attempts/log';

/** A work server of its own, for one test. */
export async function newWorkServer(sdk: Sdk): Promise<HeldWorkServer> {
  const server = new HeldWorkServer();
  await server.listen();
  sdk.after(() => server.close());
  return server;
}

/** Starts a worker with the name of the case, which has these steps for all that it gets. */
export async function startWorker(
  sdk: Sdk,
  driver: Driver,
  { name: worker }: Own,
  server: { url: string },
  options: object,
): Promise<void> {
  const { url } = server;
  await driver.do({ do: 'work', worker, url, token: 'the-key', queue: 'q', graceMs: 500, ...options });
  sdk.after(async () => {
    if (driver.isRunning) await driver.do({ do: 'stop', worker });
  });
}

/** A work server, and a worker that asks it. */
export async function working(
  sdk: Sdk,
  driver: Driver,
  own: Own,
  steps: readonly Step[],
  options: object = {},
) {
  const server = await newWorkServer(sdk);
  await startWorker(sdk, driver, own, server, { steps, ...options });
  const events = { event: 'worker', worker: own.name };
  return {
    server,
    offer: (more: Parameters<HeldWorkServer['offer']>[0] = {}): FakeExecution =>
      server.offer({ jobId: own.name, ...more }),
    ended: (count = 1) => driver.see({ ...events, type: 'ended' }, count),
    events: (type: string, count = 1) => driver.see({ ...events, type }, count),
    stopping: () => driver.sees({ event: 'stopping', jobId: own.name }),
    step: (name: string, count = 1) => driver.see({ event: 'step', jobId: own.name, name }, count),
  };
}

/** The log of an execution as one text a stream. */
export const logOf = ({ chunks }: FakeExecution): { stream: string; text: string }[] =>
  chunks.flat().map(({ stream, text }) => ({ stream, text }));
