import type { IncomingMessage } from 'node:http';

/**
 * Reads the body of an HTTP request. Undefined if it has more than `maxBytes`; it is still read to the end,
 * so that the client gets the response. Rejects if the client disconnects.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}
