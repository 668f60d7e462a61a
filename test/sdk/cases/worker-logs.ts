import type { Sdk } from '../suite/sdk';
import { problem } from '../suite/samples';
import { LOG, logOf, working } from './working';

const CHUNK_BYTES = 65_536;
const LINE_CHARACTERS = 16_384;
/** 120 kB of two, three and four bytes a character. */
const LONG = 'ü日🎉'.repeat(13_400);
const bytesOf = (lines: readonly { text: string }[]): number =>
  lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** What a handler writes to the log of its attempt. */
export function logCases(sdk: Sdk): void {
  describe('logs of workers', () => {
    sdk.test('lines arrive in order, by their streams, before the outcome', async (driver, own) => {
      const steps = [{ log: 'first' }, { log: 'oh', stream: 'stderr' }, { log: '' }, { log: 'Grüße 🎉' }];
      const { server, offer, ended } = await working(sdk, driver, own, steps);
      const execution = offer();
      await ended();
      expect(logOf(execution)).toEqual([
        { stream: 'stdout', text: 'first' },
        { stream: 'stderr', text: 'oh' },
        { stream: 'stdout', text: '' },
        { stream: 'stdout', text: 'Grüße 🎉' },
      ]);
      const paths = server.requests.map(({ path }) => path);
      expect(paths.lastIndexOf(LOG)).toBeLessThan(paths.indexOf('/v1/attempts/complete'));
    });

    sdk.test('a line of 120 kB is several, and no character is cut', async (driver, own) => {
      const { offer, ended } = await working(sdk, driver, own, [{ log: LONG }]);
      const execution = offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded', droppedLogLines: 0 });
      const lines = logOf(execution);
      expect(lines.map(({ text }) => text).join('') === LONG).toBe(true);
      for (const { text } of lines) expect(text.length).toBeLessThanOrEqual(LINE_CHARACTERS);
      for (const chunk of execution.chunks) expect(bytesOf(chunk)).toBeLessThanOrEqual(CHUNK_BYTES);
    });

    sdk.test('100 kB in short lines arrive whole, each chunk once', async (driver, own) => {
      const lines = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(97)}`);
      const { server, offer, ended } = await working(
        sdk,
        driver,
        own,
        lines.map((log) => ({ log })),
      );
      server.faults.push({ path: LOG, isLost: true });
      const execution = offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded', droppedLogLines: 0 });
      expect(logOf(execution).map(({ text }) => text)).toEqual(lines);
      const sent = server.requests.filter(({ path }) => path === LOG).map(({ body }) => JSON.stringify(body));
      expect(sent[1]).toBe(sent[0]);
      expect(server.count(LOG)).toBe(execution.chunks.length + 1);
    });

    sdk.test('a full log takes nothing more, and disturbs no work', async (driver, own) => {
      const steps = [{ log: 'a'.repeat(20_000) }, { gate: own.name }, { log: 'late' }, { return: 1 }];
      const { server, offer, ended } = await working(sdk, driver, own, steps);
      server.maxLogBytes = 0;
      const execution = offer();
      await server.until(() => server.count(LOG) === 1);
      await driver.do({ do: 'open-gate', gate: own.name });
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect([execution.result, server.count(LOG)]).toEqual([1, 1]);
    });

    sdk.test('a log that the API does not take disturbs no work', async (driver, own) => {
      const { server, offer, ended, events } = await working(sdk, driver, own, [{ log: 'a' }, { return: 1 }]);
      server.faults.push({ path: LOG, answer: Response.json(problem(400).body, { status: 400 }) });
      const execution = offer();
      expect((await ended())[0]).toMatchObject({ outcome: 'succeeded' });
      expect((await events('log-failed'))[0]).toMatchObject({ error: { kind: 'validation' } });
      expect(execution.result).toBe(1);
    });
  });
}
