import type { Sdk } from '../suite/sdk';
import { problem } from '../suite/samples';
import { CLAIM, newWorkServer, startWorker, working } from './working';

/** How a worker ends, and what makes it go on. */
export function endCases(sdk: Sdk): void {
  describe('ends of workers', () => {
    sdk.test('drain claims nothing more, and waits for what runs', async (driver, own) => {
      const { server, offer, events } = await working(sdk, driver, own, [{ gate: own.name }, { return: 1 }]);
      const execution = offer();
      await events('started');
      const drained = driver.do({ do: 'drain', worker: own.name });
      const next = offer();
      await driver.do({ do: 'open-gate', gate: own.name });
      await drained;
      const [over] = await events('over');
      expect(over).not.toHaveProperty('error');
      expect([execution.status, next.status, server.count(CLAIM)]).toEqual(['succeeded', 'waiting', 1]);
    });

    sdk.test('stop aborts what runs, which may be retried', async (driver, own) => {
      const { offer, ended, stopping, step } = await working(sdk, driver, own, [
        { emit: 'began' },
        { untilStopped: 'throw' },
      ]);
      const execution = offer();
      await step('began');
      await driver.do({ do: 'stop', worker: own.name });
      expect(await stopping()).toMatchObject({ reason: 'stopped' });
      expect((await ended())[0]).toMatchObject({ outcome: 'failed', stopped: 'stopped' });
      expect(execution).toMatchObject({ status: 'failed', retriable: true });
    });

    sdk.test('SIGTERM drains: what runs ends, and then the process', async (_, own) => {
      const driver = sdk.newDriver();
      const steps = [{ emit: 'began' }, { gate: own.name }, { return: 1 }];
      const { offer, step } = await working(sdk, driver, own, steps, { sigterm: true });
      const execution = offer();
      await step('began');
      driver.signal('SIGTERM');
      await driver.do({ do: 'open-gate', gate: own.name });
      expect(await driver.ended()).toBe(0);
      expect(execution).toMatchObject({ status: 'succeeded', result: 1 });
    });

    sdk.test('a claim that is denied ends the worker with the error', async (driver, own) => {
      const server = await newWorkServer(sdk);
      server.faults.push({ path: CLAIM, answer: Response.json(problem(403).body, { status: 403 }) });
      await startWorker(sdk, driver, own, server, { steps: [] });
      const over = await driver.sees({ event: 'worker', worker: own.name, type: 'over' });
      expect(over).toMatchObject({ error: { kind: 'permission' } });
      expect(server.count(CLAIM)).toBe(1);
    });

    sdk.test('a claim that fails for now is tried again', async (driver, own) => {
      const server = await newWorkServer(sdk);
      const answer = Response.json(problem(503).body, { status: 503 });
      server.faults.push({ path: CLAIM, answer });
      const execution = server.offer({ jobId: own.name });
      const retry = { maxTries: 1 };
      await startWorker(sdk, driver, own, server, { steps: [{ return: 1 }], retry });
      const failed = await driver.sees({ event: 'worker', worker: own.name, type: 'claim-failed' });
      expect(failed).toMatchObject({ error: { kind: 'server' } });
      await driver.sees({ event: 'worker', worker: own.name, type: 'ended' });
      expect(execution.status).toBe('succeeded');
    });

    sdk.test('an empty answer with retryAfter is respected', async (driver, own) => {
      const server = await newWorkServer(sdk);
      server.faults.push({ path: CLAIM, answer: Response.json({ work: [], retryAfter: 1 }) });
      const startedMs = performance.now();
      await startWorker(sdk, driver, own, server, { steps: [] });
      await server.until(() => server.count(CLAIM) === 2);
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_000);
    });
  });
}
