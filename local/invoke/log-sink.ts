import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { InvokeError } from './protocol';

const ROTATE_BYTES = 32 * 1024 * 1024;

/** Where the output of one function goes. */
export interface LogSink {
  write(stream: 'stdout' | 'stderr', text: string): void;
  /** A whole line of an environment's stdout, beside `write`: metrics are among them. */
  line(text: string): void;
  invokeError(requestId: string, error: InvokeError): void;
  close(): void;
}

export interface LogTarget {
  logDir: string;
  /** Show what functions write to stdout on the terminal too. */
  verbose: boolean;
  out(line: string): void;
  err(line: string): void;
  /** Sees every line that a function writes to stdout. */
  onLine(line: string): void;
}

/** Everything goes to `<logDir>/<function>.log`; errors to the terminal too, the rest only where it is wanted. */
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
    for (const line of text.split('\n')) if (line !== '') print(`[${functionLogicalId}] ${line}`);
  };
  return {
    write(stream, text) {
      // What an environment wrote last may come in after its end.
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
