import type { Io } from '../io';

const WIDTH = 24;
const CLEAR = '\r\x1b[2K';

/** Shows how far long work has come, on stderr, and leaves nothing behind. */
export interface Progress {
  step(): void;
  /** Takes the bar away: before anything else is written, and at the end. */
  clear(): void;
}

const SILENT: Progress = { step: () => undefined, clear: () => undefined };

/** A bar on a terminal; nothing in a pipe, on a dumb terminal, or where there is but one thing to do. */
export function progressOf(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  what: string,
  total: number,
): Progress {
  if (stderr.isTTY !== true || env.TERM === 'dumb' || total < 2) return SILENT;
  let done = 0;
  const draw = () => {
    const filled = Math.round((WIDTH * done) / total);
    const [full, empty] = env.NO_COLOR ? ['#', '.'] : ['█', '░'];
    const line = `${what} ${full.repeat(filled)}${empty.repeat(WIDTH - filled)} ${done}/${total}`;
    stderr.write(CLEAR + line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1)));
  };
  draw();
  return {
    step: () => {
      done += 1;
      draw();
    },
    clear: () => void stderr.write(CLEAR),
  };
}
