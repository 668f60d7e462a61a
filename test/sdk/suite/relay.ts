import { request as send } from 'node:http';

import { listenOnLoopback } from '../../support/loopback-server';

/** What passes a relay: the method and the path of a request. */
type Passing = (method: string, path: string) => boolean;

export interface Relay {
  url: string;
  /** Where requests go. It may change. */
  to: string;
  /** Requests of which the answer is lost: they have reached the server, and had their effect. */
  loses: Passing;
  lost: number;
  stop(): void;
}

/** A server on loopback that passes requests on byte for byte, headers and body. */
export async function newRelay(to: string): Promise<Relay> {
  const server = await listenOnLoopback((request, response) => {
    const { method = '', url = '', headers } = request;
    const isLost = relay.loses(method, url);
    if (isLost) relay.lost++;
    const passed = send(new URL(url, relay.to), { method, headers }, (answer) => {
      if (isLost) return void answer.resume().on('end', () => request.socket.destroy());
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => request.socket.destroy());
    request.pipe(passed);
  });
  const relay: Relay = { url: server.url, to, loses: () => false, lost: 0, stop: server.stop };
  return relay;
}
