import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import {
  type Delivery,
  FenceGuard,
  Quarterjack,
  SignatureError,
  StaleFenceError,
  verifyDelivery,
} from 'quarterjack';

/** Where the API is. */
export const API_URL = process.env.QUARTERJACK_URL ?? 'http://127.0.0.1:8787';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs an example against the API that the environment names. Sets exit code 1 if it fails. */
export function example(main: (client: Quarterjack) => Promise<void>): void {
  const { QUARTERJACK_TOKEN } = process.env;
  if (!QUARTERJACK_TOKEN) {
    process.stderr.write(
      'QUARTERJACK_TOKEN is missing; set it to the output of: npm run --silent token -- --user alice\n',
    );
    process.exitCode = 1;
    return;
  }
  main(new Quarterjack({ url: API_URL, token: QUARTERJACK_TOKEN })).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}

export interface Target {
  /** The URL for jobs to call. */
  url: string;
  stop(): void;
}

/**
 * Starts a receiver of deliveries. It rejects deliveries without a valid signature, and outdated attempts.
 */
export async function startTarget(
  client: Quarterjack,
  /** Returns the HTTP status to respond with; 200 if it returns nothing. */
  handle: (delivery: Delivery) => number | void,
): Promise<Target> {
  let secret = ''; // of the host, which has a port once the server listens
  const guard = new FenceGuard();
  const server = createServer((request, response) => {
    text(request)
      .then(async (body) => {
        const delivery = verifyDelivery(body, request.headers, { secret });
        await guard.admit(delivery);
        response.writeHead(handle(delivery) ?? 200).end('thanks');
      })
      .catch((error: unknown) => {
        const status = error instanceof SignatureError ? 401 : error instanceof StaleFenceError ? 409 : 500;
        response.writeHead(status).end(String(error));
      });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ secret } = await client.signingSecret({ host }));
  return {
    url: `http://${host}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Resolves once `condition` is true. Throws if it is not true within a minute. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`not within a minute: ${what}`);
    await new Promise((soon) => setTimeout(soon, 50));
  }
}
