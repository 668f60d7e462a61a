import type { Client } from './read-client';

/** What of a request its service reads, apart from the signature and what clients tell of themselves. */
export interface Request {
  method: string;
  path: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

const OF_THE_CLIENT =
  /^(?:host|authorization|content-length|user-agent|x-amz-user-agent|x-amz-date|x-amz-content-sha256|x-amz-security-token|amz-sdk-.*|x-amzn-trace-id)$/;

/** The parts of a request that have to be equal, as one text. */
export const comparable = ({ method, path, query = {}, headers, body = '' }: Request): string =>
  JSON.stringify([
    method,
    path,
    Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value])
      .filter(([name]) => !OF_THE_CLIENT.test(name!))
      .toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString('latin1'),
  ]);

/** The request that the client of the SDK makes of a call, just before it is sent. */
export async function sentRequest(
  { make, command }: Pick<Client, 'make' | 'command'>,
  { operation, input, endpoint }: { operation: string; input: object; endpoint?: string },
): Promise<Request & { hostname: string }> {
  let sent: (Request & { hostname: string }) | undefined;
  const client = make({
    ...{ region: 'eu-central-1', maxAttempts: 1, ...(endpoint && { endpoint }) },
    credentials: { accessKeyId: 'AKIA0', secretAccessKey: 'secret' },
    disableRequestCompression: true,
    useQueueUrlAsEndpoint: false,
    requestHandler: {
      async handle(request: Request & { hostname: string }) {
        sent = request;
        throw new Error('sent');
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
    },
  });
  await client.send(command(operation, input)).catch((error: Error) => {
    if (sent === undefined) throw error;
  });
  return sent!;
}
