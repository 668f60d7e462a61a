import type { ConnectionOptions } from '../client';

/** A stream to write text to. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Everything that a command uses outside the API. Tests replace it. */
export interface Io {
  stdout: Output;
  stderr: Output;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  nowMs(): number;
  /** Calls `act` at the next Ctrl-C, instead of ending the process. Returns what takes it back. */
  onInterrupt(act: () => void): () => void;
  /** Options for the client. Tests replace the network by them. */
  connection?: Pick<ConnectionOptions, 'retry' | 'surroundings'>;
}

export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  nowMs: Date.now,
  onInterrupt: (act) => {
    process.once('SIGINT', act);
    return () => process.off('SIGINT', act);
  },
});

export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
