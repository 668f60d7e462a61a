import type { Io } from '../io';

const WIDTH = 24;
const CLEAR = '\r\x1b[2K';

/** Shows the progress of long work on stderr. */
export interface Progress {
  step(count?: number): void;
  /** Removes the bar. Call it before writing anything else, and at the end. */
  clear(): void;
}

const SILENT: Progress = { step: () => undefined, clear: () => undefined };

/** A progress bar on a terminal. Shows nothing in a pipe, on a dumb terminal, or for fewer than two steps. */
export function progressOf(
  { stderr, env }: Pick<Io, 'stderr' | 'env'>,
  what: string,
  total: number,
): Progress {
  if (stderr.isTTY !== true || env.TERM === 'dumb' || total < 2) return SILENT;
  let done = 0;
  const draw = () => {
    const filled = Math.min(WIDTH, Math.round((WIDTH * done) / total));
    const [full, empty] = env.NO_COLOR ? ['#', '.'] : ['█', '░'];
    const line = `${what} ${full.repeat(filled)}${empty.repeat(WIDTH - filled)} ${done}/${total}`;
    stderr.write(CLEAR + line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1)));
  };
  draw();
  return {
    step: (count = 1) => {
      done += count;
      draw();
    },
    clear: () => void stderr.write(CLEAR),
  };
}
