import { execIdOfOccurrence } from '../../lambdas/core/contracts/tables';
import type { LogAttempt, LogChunk, StoredLine } from '../../lambdas/core/store/log-store';
import { T0_MS } from '../support/factories';
import type { StoreSetup } from './store-setup';

const EXPIRES_AT_SEC = 1_900_000_000;

/** What the rows of logs must do. */
export function describeLogStore(setup: () => StoreSetup): void {
  describe('LogStore', () => {
    const anAttempt = (): LogAttempt => ({
      jobKey: setup().freshJobKey(),
      execId: execIdOfOccurrence(T0_MS),
      attempt: 1,
      fence: 1,
    });
    const line = (text: string): StoredLine => ({ atMs: T0_MS, stream: 'stdout', text });
    const chunkOf = (attempt: LogAttempt, chunk: number, text = `line ${chunk}`): LogChunk => ({
      ...attempt,
      chunk,
      lines: [line(text)],
      hash: `hash of ${text}`,
    });
    const put = (chunk: LogChunk) => setup().logs.putChunk(chunk, EXPIRES_AT_SEC);
    const read = async (attempt: LogAttempt, page: { after?: string; limit?: number } = {}) => {
      const { chunks, nextAfter } = await setup().logs.read(attempt, { limit: 100, ...page });
      return { read: chunks.map(({ fence, chunk }) => `${fence}.${chunk}`), nextAfter };
    };

    it('writes a chunk once, and tells an equal one from another', async () => {
      const attempt = anAttempt();
      expect(await put(chunkOf(attempt, 0))).toBe('written');
      expect(await put(chunkOf(attempt, 0))).toBe('exists');
      expect(await put(chunkOf(attempt, 0, 'something else'))).toBe('different');
      const { chunks } = await setup().logs.read(attempt, { limit: 10 });
      expect(chunks).toEqual([{ ...chunkOf(attempt, 0), position: chunks[0]!.position }]);
    });

    it('keeps lines as they are: control characters, empty ones and the longest', async () => {
      const attempt = anAttempt();
      const lines = ['', '\u001B[31mred\u001B[0m', 'é€😀\u0000\uFFFD', 'x'.repeat(16_384)].map(line);
      await put({ ...chunkOf(attempt, 0), lines });
      const { chunks } = await setup().logs.read(attempt, { limit: 10 });
      expect(chunks[0]!.lines).toEqual(lines);
    });

    it('reads by fence, then by number, a page after another', async () => {
      const attempt = anAttempt();
      const second = { ...attempt, attempt: 2, fence: 12 };
      for (const [of, chunk] of [
        [second, 0],
        [attempt, 10],
        [attempt, 9],
        [second, 1],
        [attempt, 0],
      ] as const)
        await put(chunkOf(of, chunk));
      const all = ['1.0', '1.9', '1.10', '12.0', '12.1'];
      expect(await read(attempt)).toEqual({ read: all, nextAfter: undefined });
      const first = await read(attempt, { limit: 2 });
      expect(first.read).toEqual(all.slice(0, 2));
      expect(await read(attempt, { after: first.nextAfter! })).toEqual({
        read: all.slice(2),
        nextAfter: undefined,
      });
    });

    it('sums the bytes of an attempt, beside its chunks, and those of a day', async () => {
      const { logs, freshUser } = setup();
      const attempt = anAttempt();
      expect(await logs.bytesOf(attempt)).toBe(0);
      expect(await logs.addBytes(attempt, 70, EXPIRES_AT_SEC)).toBe(70);
      expect(await logs.addBytes(attempt, 30, EXPIRES_AT_SEC)).toBe(100);
      expect(await logs.bytesOf(attempt)).toBe(100);
      expect(await logs.bytesOf({ ...attempt, fence: 2 })).toBe(0);
      expect((await read(attempt)).read).toEqual([]);
      const user = freshUser();
      await logs.addBytesOfDay(user, '20261201', 5, EXPIRES_AT_SEC);
      await logs.addBytesOfDay(user, '20261201', 6, EXPIRES_AT_SEC);
      expect(await logs.bytesOfDay(user, '20261201')).toBe(11);
      expect(await logs.bytesOfDay(user, '20261202')).toBe(0);
    });

    it('keeps the logs of executions apart', async () => {
      const [one, other] = [anAttempt(), anAttempt()];
      await put(chunkOf(one, 0));
      expect((await read(other)).read).toEqual([]);
    });
  });
}
