import type { ExecutionRef } from '../../core/store/execution-store';
import type { StoredLine } from '../../core/store/log-store';
import type { ApiDeps } from '../request';

const CHUNKS_A_READ = 20;
/** Lambda returns at most 6 MB, in which our JSON is a string: each of its quotes counts twice. */
const MOST_BYTES = 1_500_000;

interface LinePage {
  lines: (StoredLine & { attempt: number })[];
  /** To continue after. */
  position: string;
  /** Whether there are more lines now. */
  more: boolean;
}

/**
 * Lines of a log after a position: the position of a chunk, and how many of its lines were seen. A page ends
 * after `limit` lines, or after 1.5 MB.
 */
export async function linesAfter(
  ref: ExecutionRef,
  { position, attempt, limit }: { position: string; attempt: number | undefined; limit: number },
  { logs }: Pick<ApiDeps, 'logs'>,
): Promise<LinePage> {
  const lines: LinePage['lines'] = [];
  let bytes = 0;
  let at = position;
  let from = seenOf(position);
  for (;;) {
    const { after, seen } = from;
    const read = await logs.read(ref, { ...(after !== '' && { after }), limit: CHUNKS_A_READ });
    for (const chunk of read.chunks) {
      const isSeen = seen !== undefined && chunk.position < seen.chunk;
      if (isSeen || (attempt !== undefined && chunk.attempt !== attempt)) continue;
      for (const [index, line] of chunk.lines.entries()) {
        if (chunk.position === seen?.chunk && index < seen.lines) continue;
        const length = Buffer.byteLength(line.text);
        if (lines.length === limit || (bytes + length > MOST_BYTES && lines.length > 0))
          return { lines, position: at, more: true };
        bytes += length;
        lines.push({ ...line, attempt: chunk.attempt });
        at = `${chunk.position}/${index + 1}`;
      }
    }
    if (read.nextAfter === undefined) return { lines, position: at, more: false };
    from = { after: read.nextAfter, seen: undefined };
  }
}

interface Seen {
  chunk: string;
  lines: number;
}

/**
 * Where to read on, so that the chunk of the position comes once more: lines of it may be unseen. Texts that
 * are one character shorter sort before it.
 */
function seenOf(position: string): { after: string; seen: Seen | undefined } {
  if (position === '') return { after: '', seen: undefined };
  const [chunk = '', lines = '0'] = position.split('/');
  return { after: chunk.slice(0, -1), seen: { chunk, lines: Number(lines) } };
}
