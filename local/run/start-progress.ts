/** A stream to write text to, such as stdout. */
interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Shows what a start is doing. */
export interface StartProgress {
  step(what: string): void;
  /** Removes the line from the terminal. Call it before anything else is written, and at the end. */
  clear(): void;
}

const REDRAW_MS = 250;
const CLEAR = '\r\u001b[2K';

/**
 * On a terminal, one line with the present step and the seconds since the start. Elsewhere, a line for each
 * step. `main.cjs` has already written `starting ...` there.
 */
export function startProgress(output: Output, nowMs: () => number = Date.now): StartProgress {
  if (output.isTTY !== true || process.env.TERM === 'dumb')
    return { step: (what) => void output.write(`${what} ...\n`), clear: () => undefined };

  const startedMs = nowMs();
  let present = 'starting';
  const draw = () => {
    const line = `${present} ... ${Math.round((nowMs() - startedMs) / 1_000)} s`;
    output.write(CLEAR + line.slice(0, (output.columns || 80) - 1));
  };
  let timer: NodeJS.Timeout | undefined = setInterval(draw, REDRAW_MS).unref();
  return {
    step(what) {
      present = what;
      draw();
      timer ??= setInterval(draw, REDRAW_MS).unref();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      output.write(CLEAR);
    },
  };
}
