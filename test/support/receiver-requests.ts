import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { signHeaders } from '../../lambdas/core/delivery/signing/signed-headers';
import { sign } from '../../lambdas/core/delivery/signing/standard-webhooks';

const PATH = join(__dirname, '../fixtures/receivers/requests.json');
const secretOf = (seed: string): string => `whsec_${Buffer.alloc(32, seed).toString('base64')}`;

const SECRETS: Readonly<Record<string, string>> = {
  current: secretOf('the current secret of the host'),
  next: secretOf('the next secret of the host'),
  other: secretOf('the secret of another host'),
  legacy: secretOf('the legacy secret of the project'),
};

/** What a receiver has in `QUARTERJACK_SECRET`. */
export const RECEIVER_SECRETS = `${SECRETS.next} ${SECRETS.current}`;

interface Description {
  name: string;
  /** What the receiver responds with. */
  status: number;
  /** Lines of headers. */
  head: string[];
  body: string;
  ageSec?: number;
  /** What happens to the request after it was signed. */
  then?: { add?: string[]; insert?: string[]; remove?: string; body?: string };
}

/** A request as it is sent: header lines in their order, doubled ones among them. */
export interface SentRequest {
  headers: [name: string, value: string][];
  body: string;
}

const { common, requests } = JSON.parse(readFileSync(PATH, 'utf8')) as {
  common: string[];
  requests: Description[];
};

/** The shared list: each request with the status that every receiver responds with. */
export const receiverRequests: readonly Description[] = requests;

/** The request, signed as at this time. */
export function requestOf({ head, body, ageSec = 0, then = {} }: Description, nowMs: number): SentRequest {
  const timestampSec = Math.floor(nowMs / 1_000) - ageSec;
  const lines = head.flatMap((line) => (line === '{common}' ? common : [line]));
  const unsigned = lines.map((line) => pairOf(line.replace('{timestamp}', String(timestampSec))));
  const names = Object.fromEntries(unsigned.map(([name, value]) => [name.toLowerCase(), value]));
  const signed = unsigned.map(([name, value]): [string, string] => [
    name,
    value.replaceAll(/\{(body|headers):(\w+)\}/g, (_match, part: string, secretName: string) => {
      const secret = SECRETS[secretName]!;
      if (part === 'headers') return signHeaders(names, secret);
      return sign({ id: names['webhook-id']!, timestampSec, body, secret });
    }),
  ]);
  const kept = signed.filter(([name]) => name !== then.remove);
  const headers = [...(then.insert ?? []).map(pairOf), ...kept, ...(then.add ?? []).map(pairOf)];
  return { headers, body: then.body ?? body };
}

function pairOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}

/** Writes the request to a socket byte for byte. The status of the response. */
export async function statusOverSocket(port: number, { headers, body }: SentRequest): Promise<number> {
  const bytes = Buffer.from(body);
  const head = [
    'POST /hook HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    `Content-Length: ${bytes.length}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const socket = connect(port, '127.0.0.1');
  // Not ended: Node.js gives no response to a caller that has closed its half.
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(await text(socket))?.[1]);
}

/** Headers as frameworks give them that join doubled ones. Names in lower case. */
export function joinedHeaders({ headers }: SentRequest, separator: string): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    joined[name] = joined[name] === undefined ? value : `${joined[name]}${separator}${value}`;
  }
  return joined;
}
