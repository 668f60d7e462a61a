import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readableLine } from './log-line';
import type { InvokeError } from './protocol';

const ROTATE_BYTES = 32 * 1024 * 1024;

/** Receives the output of one function. */
export interface LogSink {
  write(stream: 'stdout' | 'stderr', text: string): void;
  /** A complete line of stdout, in addition to `write`. Metrics are among these lines. */
  line(text: string): void;
  invokeError(requestId: string, error: InvokeError): void;
  close(): void;
}

export interface LogTarget {
  logDir: string;
  /** Also show the stdout of functions on the terminal. */
  verbose: boolean;
  out(line: string): void;
  err(line: string): void;
  /** Receives every line that a function writes to stdout. */
  onLine(line: string): void;
}

/** Logs to `<logDir>/<function>.log`. Errors and stderr also go to the terminal, stdout only if `verbose`. */
export function openLog(
  functionLogicalId: string,
  { logDir, verbose, out, err, onLine }: LogTarget,
): LogSink {
  mkdirSync(logDir, { recursive: true });
  const path = join(logDir, `${functionLogicalId}.log`);
  if (existsSync(path) && statSync(path).size > ROTATE_BYTES) renameSync(path, `${path}.1`);
  const file = createWriteStream(path, { flags: 'a' });
  file.on('error', (error) => err(`[${functionLogicalId}] cannot write ${path}: ${error.message}`));

  const show = (print: (line: string) => void, text: string): void => {
    for (const line of text.split('\n')) if (line !== '') print(readableLine(functionLogicalId, line));
  };
  return {
    write(stream, text) {
      // The last output of an environment may arrive after the log was closed.
      if (!file.writableEnded) file.write(text);
      if (stream === 'stderr') show(err, text);
      else if (verbose) show(out, text);
    },
    line: onLine,
    invokeError(requestId, { errorType, errorMessage, trace }) {
      file.write(`${requestId} ${errorType}: ${errorMessage}\n${trace.join('\n')}\n`);
      show(err, `${requestId} ${errorType}: ${errorMessage}`);
    },
    close: () => file.end(),
  };
}
