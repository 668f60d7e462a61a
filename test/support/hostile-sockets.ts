import type { Socket } from 'node:net';

/** What targets and endpoints may write to a bare socket to hold their caller. */

/** Writes `first`, and then `text` every `ms` milliseconds. */
export const every =
  (ms: number, text: string, first = '') =>
  (socket: Socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(text), ms);
    socket.on('close', () => clearInterval(timer));
  };
/** Writes `text` again and again, as fast as the caller reads it. */
export const endlessly =
  (text: string, first = '') =>
  (socket: Socket) => {
    socket.write(first);
    const more = (): unknown => socket.destroyed || socket.write(text, () => setImmediate(more));
    more();
  };
