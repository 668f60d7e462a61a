import type { Sdk } from '../suite/sdk';
import { problem } from '../suite/samples';
import { COMPLETE, FAIL, HEARTBEAT, newWorkServer, startWorker, working } from './working';

/** The work is stopped 6.5 s after the last heartbeat that was acknowledged: 2 s before the lease lapses. */
const SHORT = { heartbeatTimeout: '9s' };
const UNTIL_STOPPED = [{ emit: 'began' }, { untilStopped: 'throw' }];

/** How a lease is kept, and what happens when it is lost. */
export function leaseCases(sdk: Sdk): void {
  describe('leases of workers', () => {
    sdk.test('heartbeats keep a lease for longer than its time', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ gate: own.name }]);
      const execution = offer({ heartbeatTimeout: '6s' });
      await server.until(() => server.count(HEARTBEAT) >= 4);
      await driver.do({ do: 'open-gate', gate: own.name });
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect(execution).toMatchObject({ status: 'succeeded', fence: 1, lapses: 0 });
    });

    sdk.test(
      'progress goes with a heartbeat, and what was said last comes before the report',
      async (driver, own) => {
        const steps = [
          { progress: 0.25, text: 'page 1 of 4' },
          { gate: own.name },
          { progress: 0.5, text: `a\nb${'\u{1f552}'.repeat(100)}` },
          { progress: 0.75, text: `a\nb${'\u{1f552}'.repeat(100)}` },
          { return: 'done' },
        ];
        const { server, offer, ended } = await working(sdk, driver, own, steps);
        const execution = offer();
        await server.until(() => server.count(HEARTBEAT) >= 1);
        await driver.do({ do: 'open-gate', gate: own.name });
        expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
        const said = server.requests.filter(({ path }) => path === HEARTBEAT).map(({ body }) => body);
        expect(said).toEqual([
          { progress: 0.25, text: 'page 1 of 4' },
          { progress: 0.75, text: `a b${'\u{1f552}'.repeat(98)}` },
        ]);
        expect(execution).toMatchObject({ status: 'succeeded', lapses: 0 });
      },
    );

    sdk.waits('a heartbeat that gets 409 stops the work, and nothing is reported', async (driver, own) => {
      const { server, offer, ended, stopping } = await working(sdk, driver, own, UNTIL_STOPPED);
      const answer = Response.json(problem(409).body, { status: 409 });
      server.faults.push({ path: HEARTBEAT, answer });
      offer(SHORT);
      expect(await stopping()).toMatchObject({ reason: 'lost' });
      expect((await ended())[0]).toMatchObject({ outcome: 'lost', stopped: 'lost' });
      expect(server.count(FAIL) + server.count(COMPLETE)).toBe(0);
    });

    sdk.test('a report that gets 409 is lost, and is not repeated', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ return: 1 }]);
      server.faults.push({ path: COMPLETE, answer: Response.json(problem(409).body, { status: 409 }) });
      offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'lost' });
      expect(server.count(COMPLETE)).toBe(1);
    });

    sdk.waits('heartbeats that get no answer stop the work before the lease lapses', async (driver, own) => {
      const { server, offer, stopping } = await working(sdk, driver, own, UNTIL_STOPPED);
      server.held.add(HEARTBEAT);
      let seenAtLapse: boolean | undefined;
      server.onLapse = () =>
        (seenAtLapse ??= driver.events.some(
          ({ event, jobId }) => event === 'stopping' && jobId === own.name,
        ));
      const execution = offer(SHORT);
      expect(await stopping()).toMatchObject({ reason: 'lost' });
      server.held.clear();
      await server.until(() => execution.fence > 1);
      expect(seenAtLapse).toBe(true);
      expect(server.count(FAIL) + server.count(COMPLETE)).toBe(0);
    });

    sdk.test('a heartbeat that gets 429 or 503 is tried again in time', async (driver, own) => {
      const { server, offer, ended } = await working(sdk, driver, own, [{ gate: own.name }]);
      for (const status of [429, 503]) {
        const headers = { 'retry-after': '30' };
        server.faults.push({
          path: HEARTBEAT,
          answer: Response.json(problem(status).body, { status, headers }),
        });
      }
      const execution = offer(SHORT);
      await server.until(() => server.count(HEARTBEAT) >= 4);
      await driver.do({ do: 'open-gate', gate: own.name });
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect(execution).toMatchObject({ status: 'succeeded', lapses: 0 });
    });

    sdk.waits('cancellation stops the work, which has failed then', async (driver, own) => {
      const { offer, ended, stopping, step } = await working(sdk, driver, own, UNTIL_STOPPED);
      const execution = offer(SHORT);
      await step('began');
      execution.cancelRequested = true;
      expect(await stopping()).toMatchObject({ reason: 'cancelled' });
      expect((await ended())[0]).toMatchObject({ outcome: 'failed', stopped: 'cancelled' });
      expect(execution.status).toBe('cancelled');
    });

    sdk.waits('a result counts even if the work was cancelled', async (driver, own) => {
      const steps = [{ emit: 'began' }, { untilStopped: 'go on' }, { return: 'done' }];
      const { offer, ended, step } = await working(sdk, driver, own, steps);
      const execution = offer(SHORT);
      await step('began');
      execution.cancelRequested = true;
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded', stopped: 'cancelled' });
      expect(execution).toMatchObject({ status: 'succeeded', result: 'done' });
    });

    sdk.waits('an attempt that takes longer than its time-out is stopped', async (driver, own) => {
      const { offer, ended, stopping } = await working(sdk, driver, own, UNTIL_STOPPED);
      const execution = offer({ timeoutMs: 2_000 });
      expect(await stopping()).toMatchObject({ reason: 'timed-out' });
      expect((await ended())[0]).toMatchObject({ outcome: 'failed', stopped: 'timed-out' });
      expect(execution).toMatchObject({ status: 'failed', retriable: true });
    });
  });
}

/** What clocks, and the ends of processes, do to a lease. */
export function clockCases(sdk: Sdk): void {
  describe('clocks of workers', () => {
    sdk.waits('a wall clock that is set back neither stops work nor extends a lease', async (_, own) => {
      const driver = sdk.newDriver();
      const { server, offer, stopping, step } = await working(sdk, driver, own, UNTIL_STOPPED);
      const execution = offer(SHORT);
      await step('began');
      await driver.do({ do: 'clock', wallOffsetMs: -3_600_000 });
      const before = server.count(HEARTBEAT);
      await server.until(() => server.count(HEARTBEAT) >= before + 2);
      server.held.add(HEARTBEAT);
      let seenAtLapse: boolean | undefined;
      server.onLapse = () => (seenAtLapse ??= driver.events.some(({ event }) => event === 'stopping'));
      expect(await stopping()).toMatchObject({ reason: 'lost' });
      server.held.clear();
      await server.until(() => execution.fence > 1);
      expect(seenAtLapse).toBe(true);
    });

    sdk.test('a wall clock that goes ahead looks like sleep: the lease may be lost', async (_, own) => {
      const driver = sdk.newDriver();
      const { offer, ended, stopping, step } = await working(sdk, driver, own, UNTIL_STOPPED);
      offer({ heartbeatTimeout: '30m', timeoutMs: 3 * 3_600_000 });
      await step('began');
      await driver.do({ do: 'clock', wallOffsetMs: 3_600_000 });
      expect(await stopping()).toMatchObject({ reason: 'lost' });
      expect((await ended())[0]).toMatchObject({ outcome: 'lost' });
    });

    sdk.waits('a process that was frozen for longer than its lease reports nothing', async (_, own) => {
      const driver = sdk.newDriver();
      const { server, offer, step, stopping } = await working(sdk, driver, own, UNTIL_STOPPED);
      const execution = offer({ heartbeatTimeout: '6s' });
      await step('began');
      server.onLapse = () => (execution.status = 'running'); // no other worker comes
      const lapsed = server.until(() => execution.lapses > 0);
      driver.signal('SIGSTOP');
      await new Promise<void>((done) => {
        const watch = setInterval(() => {
          if (execution.lapses === 0) return;
          clearInterval(watch);
          done();
        }, 50);
      });
      driver.signal('SIGCONT');
      await lapsed;
      expect(await stopping()).toMatchObject({ reason: 'lost' });
      expect(server.count(FAIL) + server.count(COMPLETE)).toBe(0);
    });

    sdk.waits('work of a worker that was killed is taken over, with a higher fence', async (_, own) => {
      const server = await newWorkServer(sdk);
      const execution = server.offer({ jobId: own.name, heartbeatTimeout: '6s' });
      const killed = sdk.newDriver();
      await startWorker(sdk, killed, own, server, { steps: [{ emit: 'began' }, { gate: 'never' }] });
      await killed.sees({ event: 'step', name: 'began' });
      await killed.kill();
      const other = sdk.newDriver();
      await startWorker(sdk, other, own, server, { steps: [{ emit: 'began' }, { return: 'taken over' }] });
      expect(await other.sees({ event: 'step', name: 'began' })).toMatchObject({ attempt: 2, fence: 3 });
      await other.sees({ event: 'worker', type: 'ended' });
      expect(execution).toMatchObject({ status: 'succeeded', result: 'taken over', lapses: 1 });
    });
  });
}
