import { once } from 'node:events';
import { createServer, type IncomingMessage, request as call, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the target of all jobs is, while the programs behind it come and go. */
export interface Relay {
  url: string;
  /** Deliveries go to this port of 127.0.0.1 from now on. Undefined: no program is there. */
  moveTo(port: number | undefined): void;
  close(): void;
}

const HERE = '127.0.0.1';
/** A new program is there soon. */
const RETRY_AFTER_SEC = '1';

export async function startRelay(): Promise<Relay> {
  let port: number | undefined;
  const server = createServer((request, response) => {
    if (port === undefined) answerLater(response, 'no program serves the jobs now');
    else relay(request, response, port);
  });
  await once(server.listen(0, HERE), 'listening');
  return {
    url: `http://${HERE}:${(server.address() as AddressInfo).port}/`,
    moveTo: (next) => void (port = next),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function relay(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = request;
  const onward = call({ host: HERE, port, method, path: url, headers, agent: false });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else answerLater(response, 'the program that serves the jobs has ended');
  });
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

const answerLater = (response: ServerResponse, why: string): void =>
  void response.writeHead(503, { 'retry-after': RETRY_AFTER_SEC, 'content-type': 'text/plain' }).end(why);
