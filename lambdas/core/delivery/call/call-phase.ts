import type { ClientRequest } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** What an HTTP call waits for. */
export type CallPhase =
  | 'name lookup'
  | 'connection'
  | 'TLS handshake'
  | 'headers of the response'
  | 'body of the response';

/** Tells in which phase a request is. Call it before the request has a socket. */
export function followPhase(request: ClientRequest, { hostname, protocol }: URL): () => CallPhase {
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  let phase: CallPhase = isName ? 'name lookup' : 'connection';
  const enter = (next: CallPhase) => () => {
    phase = next;
  };
  const answer = enter('headers of the response');
  const isTls = protocol === 'https:';
  const follow = (socket: Socket & { secureConnecting?: boolean }) => {
    // A connection that was made early has passed some of them.
    if (socket.connecting === false && !socket.secureConnecting) return answer();
    if (socket.connecting === false) phase = 'TLS handshake';
    socket.once('lookup', enter('connection'));
    socket.once('connect', isTls ? enter('TLS handshake') : answer);
    if (isTls) socket.once('secureConnect', answer);
  };
  if (request.socket) follow(request.socket);
  else request.once('socket', follow);
  request.once('response', enter('body of the response'));
  return () => phase;
}
