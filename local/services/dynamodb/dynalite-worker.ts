import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

import type createDynalite from 'dynalite';

import type { DynaliteData, DynaliteReply, DynaliteRequest } from './dynalite-protocol';
import { type Parse, cachedParser } from './parser-cache';
import { cacheTables, type TableStore } from './table-cache';

/**
 * Runs dynalite in its own thread: a large query computes for tens of milliseconds and blocks its thread
 * meanwhile. Requests arrive as messages and are passed to dynalite's request handler without a socket.
 * Callers are already authorized; dynalite only requires some signature.
 */
const { modulePath, storePath } = workerData as DynaliteData;
const require = createRequire(modulePath);
const dynalite = require(modulePath) as typeof createDynalite;
for (const name of ['condition', 'projection', 'update']) {
  const parser = require(`./db/${name}Parser`) as { parse: Parse };
  parser.parse = cachedParser(parser.parse);
}
let clearTableCache = (): void => {};
const db = require('./db') as { create(options: object): TableStore };
const { create } = db;
db.create = (options) => {
  const store = create(options);
  clearTableCache = cacheTables(store);
  return store;
};
const server = dynalite({
  ...(storePath !== undefined && { path: storePath }),
  createTableMs: 0,
  deleteTableMs: 0,
  updateTableMs: 0,
});
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');

const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=k/20000101/r/dynamodb/aws4_request, SignedHeaders=host, Signature=s',
  'x-amz-date': '20000101T000000Z',
};

/** The part of `ServerResponse` that dynalite uses. */
class Response {
  statusCode = 200;
  contentType = '';
  readonly headers: Record<string, string> = {};

  constructor(private readonly done: (reply: Omit<DynaliteReply, 'id'>) => void) {}

  setHeader(name: string, value: unknown): void {
    this.headers[name.toLowerCase()] = String(value);
  }

  end(body = ''): void {
    this.done({ status: this.statusCode, headers: this.headers, body });
  }
}

port.on('message', ({ id, action, body }: DynaliteRequest) => {
  const request = Object.assign(new EventEmitter(), {
    method: 'POST',
    url: '/',
    headers: {
      ...SIGNED,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${action}`,
    },
  });
  const response = new Response((reply) => {
    if (action.endsWith('Table')) clearTableCache();
    port.postMessage({ id, ...reply } satisfies DynaliteReply);
  });
  server.emit('request', request, response);
  request.emit('data', Buffer.from(body));
  request.emit('end');
});
