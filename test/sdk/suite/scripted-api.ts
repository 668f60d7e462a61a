import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

/** What a scripted server does with a request: it answers, cuts the connection, or never answers. */
export type ApiAnswer =
  | { status: number; body?: unknown; text?: string; headers?: Record<string, string> }
  | 'cut'
  | 'hang';

export interface Received {
  method: string;
  /** With the query, as it was sent. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

type Script = readonly ApiAnswer[] | ((request: Received) => ApiAnswer);

/** A server that answers by a list, whose last entry stays, or by a function. */
export class ScriptedApi {
  readonly received: Received[] = [];
  private loopback: LoopbackServer | undefined;

  constructor(private readonly script: Script) {}

  get url(): string {
    return this.loopback!.url;
  }

  async listen(): Promise<this> {
    this.loopback = await listenOnLoopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.answer(request, Buffer.concat(chunks).toString('utf8'), response));
    });
    return this;
  }

  stop(): void {
    this.loopback?.stop();
  }

  private answer(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
    response: ServerResponse,
  ): void {
    const request = { method, url, headers, body, atMs: performance.now() };
    const { script, received } = this;
    const answer =
      typeof script === 'function' ? script(request) : script[Math.min(received.length, script.length - 1)]!;
    received.push(request);
    if (answer === 'hang') return;
    if (answer === 'cut') return void response.socket?.destroy();
    const type = answer.text === undefined ? 'application/json' : 'text/html';
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
    response.end(answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)));
  }
}
