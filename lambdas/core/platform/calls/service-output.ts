import type { IncomingMessage } from 'node:http';

export interface ServiceOutput {
  statusCode: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** @throws the connection's error if it ends before the body does; SyntaxError for a 2xx that is no JSON */
export async function outputOf(response: {
  statusCode: number;
  headers: Record<string, string>;
  body?: unknown;
}): Promise<ServiceOutput> {
  const { statusCode, headers } = response;
  const text = await textOf(response.body as IncomingMessage);
  return { statusCode, headers, body: statusCode < 300 ? parse(text) : parseError(text) };
}

const textOf = (stream: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks).toString()));
    stream.on('error', reject);
  });

const parse = (text: string) => (text === '' ? {} : (JSON.parse(text) as Record<string, unknown>));

function parseError(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {}; // a proxy's page: the status says enough
  }
}
