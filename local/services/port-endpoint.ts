import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { type Respond, withinLimit } from './aws-endpoint';

/** What a caller sends: a request, or the number of one that it has given up. */
export type PortRequest =
  | { id: number; method: string; url: string; headers: Record<string, string>; body: string }
  | { aborted: number };

/** The response to the request of this number. */
export interface PortReply {
  id: number;
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/**
 * Opens ports for callers of the endpoint in other threads. What comes by them is answered as what comes by
 * HTTP. A request is aborted if its caller gives it up, or has ended.
 */
export const portOpener = (respond: Respond) => (): MessagePort => {
  const { port1: port, port2: ofCaller } = new MessageChannel();
  const open = new Map<number, AbortController>();
  port.on('message', (message: PortRequest) => {
    if ('aborted' in message) return open.get(message.aborted)?.abort();
    const { id, body, ...request } = message;
    const disconnected = new AbortController();
    open.set(id, disconnected);
    const read = async () => withinLimit(body);
    void respond({ ...request, read, signal: disconnected.signal }).then((reply) => {
      open.delete(id);
      if (reply) port.postMessage({ id, ...reply } satisfies PortReply);
    });
  });
  port.once('close', () => {
    for (const disconnected of open.values()) disconnected.abort();
  });
  return ofCaller;
};
