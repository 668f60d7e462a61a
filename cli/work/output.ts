import type { Socket } from 'node:net';

import type { LogStream, WorkContext } from '../../client/worker';
import { LineSplitter } from './lines';
import { Tail } from './tail';

/** With the headline, this fits into the 2 kB that the API keeps of an error. */
const ERROR_BYTES = 1_900;

/** Moves what a command writes into the log of its attempt, line by line, and keeps the end of stderr. */
export class Output {
  private readonly stderrEnd = new Tail(ERROR_BYTES);
  private readonly ended: Promise<void>[];
  private readonly sockets: Socket[];

  constructor(
    streams: { stdout: Socket; stderr: Socket },
    private readonly log: Pick<WorkContext, 'log' | 'isLogFull'>,
  ) {
    this.sockets = [streams.stdout, streams.stderr];
    this.ended = [this.read(streams.stdout, 'stdout'), this.read(streams.stderr, 'stderr')];
    streams.stderr.on('data', (chunk: Buffer) => this.stderrEnd.push(chunk));
  }

  /** The end of what was written to stderr. */
  get error(): string {
    return this.stderrEnd.text();
  }

  /**
   * Resolves once all is read. A process that has left the group may keep a stream open: it is cut off after
   * `withinMs`.
   */
  async finish(withinMs: number): Promise<void> {
    const cut = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, withinMs);
    await Promise.all(this.ended);
    clearTimeout(cut);
  }

  private read(socket: Socket, stream: LogStream): Promise<void> {
    const lines = new LineSplitter();
    const write = (texts: readonly string[]) => {
      for (const text of texts) this.log.log(text, stream);
    };
    socket.on('data', (chunk: Buffer) => {
      if (!this.log.isLogFull()) write(lines.push(chunk));
    });
    socket.on('error', () => undefined); // `close` follows, and nothing more can be read
    return new Promise((resolve) => {
      socket.once('close', () => {
        if (!this.log.isLogFull()) write(lines.end());
        resolve();
      });
    });
  }
}
