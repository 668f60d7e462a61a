import type { ConnectionOptions } from '../client';

/** A stream that text goes to. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Everything a command touches besides the API. */
export interface Io {
  stdout: Output;
  stderr: Output;
  stdin: AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  nowMs(): number;
  /** Of the client: what tests put in the place of the network. */
  connection?: Pick<ConnectionOptions, 'retry' | 'surroundings'>;
}

export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  nowMs: Date.now,
});

export async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
