import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';

import { SIGN_IN_PATHS } from '../issuer/sign-in/sign-in';
import { PROMETHEUS_TYPE } from '../metrics/prometheus';
import { readBody } from '../machine/read-body';
import { messageOf } from '../run/errors';
import type { MachinePage } from './machine-page';

/** Contents of the data pages. */
interface PageData {
  dashboard(query: URLSearchParams): unknown;
  /** The latest events on the buses of the stack. */
  events(): unknown;
  /** The latest requests to external resources. */
  external(): unknown;
  /** The executions of state machines, and what their buttons do. */
  machines: MachinePage;
  /** The key set of the issuer of local tokens. */
  keySet(): unknown;
  /** All metrics, in the text format of Prometheus. */
  metrics(): string;
}

/** Path of the key set of the local issuer. */
export const KEY_SET_PATH = '/_local/jwks.json';
/** Path of the page that draws the dashboards of the template. */
export const DASHBOARD_PATH = '/_local/dashboard';

const PREFIX = '/_local/';
/** The only path that changes anything: the buttons of the state machines. */
const ACT_PATH = '/_local/machines/act';
const MAX_ACT_BYTES = 4_096;
/** Leads to the list of the pages. The API has no route for it. */
const TO_LIST = '/_local';

/** A package has it beside this file. */
const uplot = (file: string): string =>
  existsSync(join(__dirname, file))
    ? join(__dirname, file)
    : join(dirname(require.resolve('uplot/package.json')), 'dist', file);
const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Files by path below `/_local/`. Pages load nothing from other servers. */
const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '': { file: join(__dirname, 'index.html'), type: HTML },
  dashboard: { file: join(__dirname, 'dashboard.html'), type: HTML },
  'dashboard.css': { file: join(__dirname, 'dashboard.css'), type: CSS },
  'dashboard.mjs': { file: join(__dirname, 'dashboard.mjs'), type: SCRIPT },
  machines: { file: join(__dirname, 'machines.html'), type: HTML },
  'machines.mjs': { file: join(__dirname, 'machines.mjs'), type: SCRIPT },
  'uplot.css': { file: uplot('uPlot.min.css'), type: CSS },
  'uplot.mjs': { file: uplot('uPlot.esm.js'), type: SCRIPT },
};

/**
 * Names of this machine, with any port: a forwarded port has another number. A web page that has its own name
 * resolved to 127.0.0.1 (DNS rebinding) sends that name.
 */
const THIS_MACHINE = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Pages about the local run itself. They need no token. Hence they are served under the names of this machine
 * only; other requests get 421. They are read-only, except for the stand-ins of state machines.
 */
export function localPages(
  { dashboard, events, external, machines, keySet, metrics }: PageData,
  onError: (line: string) => void,
): RequestListener {
  const data: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/_local/dashboard.json': dashboard,
    '/_local/events': () => ({ events: events() }),
    '/_local/elsewhere': () => ({ sent: external() }),
    '/_local/machines.json': machines.read,
    [KEY_SET_PATH]: keySet,
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, headers, url = '/' } = request;
    if (!THIS_MACHINE.test(headers.host ?? ''))
      return send(response, 421, 'text/plain', 'Only under the names 127.0.0.1, localhost and [::1]');
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const path = pathname.slice(PREFIX.length);
    if (method === 'POST' && pathname === ACT_PATH) return act(request, response, machines);
    if (method !== 'GET') return send(response, 405, 'text/plain', 'GET only');
    if (pathname === TO_LIST) return redirectToList(response);
    const file = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
    if (file) return send(response, 200, file.type, await readFile(file.file));
    if (path === 'metrics') return send(response, 200, PROMETHEUS_TYPE, metrics());
    const read = Object.hasOwn(data, pathname) ? data[pathname] : undefined;
    if (read) return send(response, 200, 'application/json', JSON.stringify(read(searchParams)));
    return send(response, 404, 'text/plain', `Not found. ${PREFIX} lists the pages`);
  };
  return (request, response): void => {
    respond(request, response).catch((thrown: unknown) => {
      onError(`local page ${request.url}: ${messageOf(thrown)}`);
      if (!response.headersSent) send(response, 500, 'text/plain', messageOf(thrown));
    });
  };
}

/**
 * A page of another site can send forms to this machine, but neither JSON nor a request without its origin.
 */
async function act(request: IncomingMessage, response: ServerResponse, machines: MachinePage): Promise<void> {
  const { origin, 'content-type': type } = request.headers;
  const isForeign = origin !== undefined && !THIS_MACHINE.test(origin.replace(/^http:\/\//, ''));
  if (isForeign || type !== 'application/json')
    return send(response, 403, 'text/plain', `Only JSON, and only from the pages at ${PREFIX}`);
  const body = await readBody(request, MAX_ACT_BYTES);
  const execution = body && machines.act(jsonOf(body));
  if (!execution) return send(response, 404, 'text/plain', 'No such execution, or no such button');
  return send(response, 200, 'application/json', JSON.stringify(execution));
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Passes requests below `/_local/`, to the sign-in or the pages. Passes others to the API. */
export const listenerOf =
  (pages: RequestListener, signIn: RequestListener, api: RequestListener): RequestListener =>
  (request, response) => {
    if (SIGN_IN_PATHS.includes(pathOf(request))) return signIn(request, response);
    return isForPages(request) ? pages(request, response) : api(request, response);
  };

const pathOf = ({ url }: IncomingMessage): string => url?.split('?')[0] ?? '';

const isForPages = ({ method, url }: IncomingMessage): boolean =>
  url?.startsWith(PREFIX) || (method === 'GET' && url?.split('?')[0] === TO_LIST);

function redirectToList(response: ServerResponse): void {
  response.setHeader('location', PREFIX);
  send(response, 302, 'text/plain', `The pages of the local run are listed at ${PREFIX}`);
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'",
  });
  response.end(body);
}
