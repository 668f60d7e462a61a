import { request as send } from 'node:http';
import { text } from 'node:stream/consumers';

export interface HttpReply {
  status: number;
  type: string | undefined;
  challenge: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what the tests are about
  body: any;
}

export interface RawRequest {
  method?: string;
  path: string;
  /** Names and values in turn, sent as they are: a header may be repeated. */
  headers?: readonly string[];
  body?: string;
}

/** Sends a request whose headers `fetch` would refuse or join. */
export function raw(
  url: string,
  { method = 'GET', path, headers = [], body }: RawRequest,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const sent = send({
      hostname,
      port,
      method,
      path,
      setHost: false,
      agent: false, // the server may close a kept connection at the very moment of its next use
      headers: [
        'Host',
        host,
        ...headers,
        ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]),
      ],
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((content) => {
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          challenge: response.headers['www-authenticate'],
          body: content === '' ? undefined : JSON.parse(content),
        });
      }, reject);
    });
    sent.end(body);
  });
}

/**
 * Maps items by at most two requests at a time. Each further one would start another execution environment of
 * the authorizer and of the API.
 */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: 2 }, worker));
  return results;
}
