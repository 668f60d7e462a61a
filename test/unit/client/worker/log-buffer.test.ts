import { LogBuffer, MAX_CHUNK_BYTES } from '../../../../client/worker/log-buffer';

const add = (buffer: LogBuffer, text: string) => buffer.add({ at: 'now', stream: 'stdout', text });

test('chunks are numbered, and have whole lines', () => {
  const buffer = new LogBuffer();
  expect([buffer.isEmpty, buffer.take()]).toEqual([true, undefined]);
  for (const text of ['a', '', 'b']) add(buffer, text);
  expect(buffer.take()).toEqual({
    chunk: 0,
    lines: ['a', '', 'b'].map((text) => ({ at: 'now', stream: 'stdout', text })),
  });
  add(buffer, 'c');
  expect(buffer.take()).toMatchObject({ chunk: 1, lines: [{ text: 'c' }] });
});

test('a chunk has at most the bytes and lines that the API takes', () => {
  const buffer = new LogBuffer();
  for (let count = 0; count < 3; count++) add(buffer, 'ä'.repeat(15_000));
  expect(buffer.hasChunk).toBe(true);
  const bytes = buffer.take()!.lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
  const many = new LogBuffer();
  for (let count = 0; count < 10_001; count++) add(many, '');
  expect([many.hasChunk, many.take()?.lines.length, many.take()?.lines.length]).toEqual([true, 10_000, 1]);
});

test('a long line is several, and no character is cut', () => {
  const buffer = new LogBuffer();
  const text = `x${'😀'.repeat(20_000)}`;
  add(buffer, text);
  const parts: string[] = [];
  for (let chunk = buffer.take(); chunk; chunk = buffer.take())
    parts.push(...chunk.lines.map((line) => line.text));
  expect(parts.join('')).toBe(text);
  expect(parts.every((part) => !/\p{Cs}/u.test(part))).toBe(true);
});

test('what waits is bounded, and what is dropped is counted', () => {
  const buffer = new LogBuffer();
  for (let count = 0; count < 400; count++) add(buffer, 'x'.repeat(16_000));
  expect(buffer.droppedLines).toBe(73);
  buffer.clear();
  expect(buffer.isEmpty).toBe(true);
});
