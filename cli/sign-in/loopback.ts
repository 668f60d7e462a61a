import { createServer, type Server } from 'node:http';
import { once } from 'node:events';

import { CliError } from '../exit-codes';
import { isLoopback } from '../url';

const HTML = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
const DONE = page('You are signed in', 'Return to the terminal. You may close this page.');
const NOT_FOUND = page('Nothing here', 'The command line waits for a sign-in at another address.');

/** Where the browser returns to after the sign-in. A return with another `state` is ignored. */
export interface Callback {
  redirectUri: string;
  /** The URL that the browser came with, with its code and state. */
  returned: Promise<URL>;
  stop(): void;
}

/**
 * Listens at the first callback URL on this machine whose port is free. Throws a `CliError` if there is none.
 * Listens on 127.0.0.1 and, if the machine has it, on ::1, because a browser may resolve `localhost` to
 * either.
 */
export async function listenForCallback(callbackUrls: readonly string[], state: string): Promise<Callback> {
  const candidates = callbackUrls.filter(
    (url) => URL.canParse(url) && new URL(url).protocol === 'http:' && isLoopback(new URL(url)),
  );
  for (const redirectUri of candidates) {
    const servers = await listenAt(new URL(redirectUri));
    if (servers) return callbackOf(redirectUri, state, servers);
  }
  throw new CliError(
    candidates.length === 0
      ? 'the API names no callback URL on this machine; use --token-stdin or --token-command'
      : `no port is free to wait for the sign-in; free one of ${candidates.join(', ')}, or use --token-stdin`,
  );
}

async function listenAt({ port }: URL): Promise<Server[] | undefined> {
  const first = await listen(Number(port), '127.0.0.1');
  if (!first) return undefined;
  const second = await listen(Number(port), '::1');
  return second ? [first, second] : [first];
}

/** Undefined if the address is in use, or not one of this machine. */
async function listen(port: number, host: string): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

function callbackOf(redirectUri: string, state: string, servers: readonly Server[]): Callback {
  const { pathname } = new URL(redirectUri);
  let resolve: (url: URL) => void;
  const returned = new Promise<URL>((done) => (resolve = done));
  for (const server of servers) {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', redirectUri);
      const isReturn =
        request.method === 'GET' && url.pathname === pathname && url.searchParams.get('state') === state;
      response.writeHead(isReturn ? 200 : 404, HTML).end(isReturn ? DONE : NOT_FOUND);
      if (isReturn) resolve(url);
    });
  }
  const stop = (): void => {
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
    }
  };
  return { redirectUri, returned, stop };
}

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}
