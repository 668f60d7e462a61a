import type { ConnectionError } from '../client';
import type { Io } from './io';
import { isLoopback } from './url';

type Fetch = (request: Request) => Promise<Response>;

const QUESTION = 'is npm start running?';

/** By the code of a fault, or by its message if it has none. */
const ADVICE: [fault: RegExp, advice: (url: URL) => string | undefined][] = [
  [/^ECONNREFUSED$/, (url) => (isLoopback(url) ? QUESTION : undefined)],
  [
    /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    ({ host }) => `nothing speaks TLS there; is its URL http://${host}?`,
  ],
  [/^HPE_/, ({ host }) => `nothing speaks HTTP there; is its URL https://${host}?`],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, ({ hostname }) => `no address is known for ${hostname}; is the URL right?`],
  [/^bad port$/, ({ port }) => `no program calls port ${port} by HTTP, since another protocol has it`],
];

/** What the runtime says is left out, where it names its own files: those of OpenSSL. */
const OF_OPENSSL = /:error:[0-9A-F]+:/;

/** The message of the error, with what the user can do about it. */
export function connectionText({ message, cause }: ConnectionError): string {
  const [head = '', url = ''] = /^\w+ (https?:\S+)(?=: )/.exec(message) ?? [];
  const advice = URL.canParse(url) ? adviceOf(cause, new URL(url)) : undefined;
  if (advice === undefined) return message;
  return OF_OPENSSL.test(message) ? `${head}: ${advice}` : `${message}; ${advice}`;
}

function adviceOf(error: unknown, url: URL): string | undefined {
  const fault = faultOf(error);
  return fault && ADVICE.find(([faults]) => faults.test(fault))?.[1](url);
}

/** The error of `fetch` has the fault of the connection as its cause. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : (faultOf(error.cause) ?? error.message);
}

/** Says at the first try that a local run may be down: the client tries again for some seconds. */
export function sayingIfDown(fetch: Fetch, { stderr }: Pick<Io, 'stderr'>): Fetch {
  let hasSaid = false;
  return async (request) => {
    try {
      return await fetch(request);
    } catch (error) {
      const url = new URL(request.url);
      if (!hasSaid && adviceOf(error, url) === QUESTION) {
        hasSaid = true;
        stderr.write(`${url.host} refuses connections: ${QUESTION} Trying again …\n`);
      }
      throw error;
    }
  };
}
