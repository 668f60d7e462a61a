import type { Definition } from '../../schedules-as-code/definition';
import { shellWords } from './shell-words';

/** The HTTP request that a `curl` or `wget` command makes. */
interface HttpCommand {
  target: Definition;
  payload?: unknown;
}

interface Request {
  urls: string[];
  method?: string;
  /** A map: any name is a key, also `__proto__`. */
  headers: Map<string, string>;
  body?: string;
  timeoutSec?: number;
}

type Flag = (request: Request, value: string) => void;

const ignore: Flag = () => undefined;
const method: Flag = (request, value) => (request.method = value.toUpperCase());
const timeout: Flag = (request, value) => (request.timeoutSec = Number(value));
const body: Flag = (request, value) => (request.body = value);
const header: Flag = ({ headers }, value) => {
  const colon = value.indexOf(':');
  headers.set(value.slice(0, colon).trim(), value.slice(colon + 1).trim());
};
const agent: Flag = ({ headers }, value) => headers.set('User-Agent', value);
const basicAuth: Flag = ({ headers }, value) =>
  headers.set('Authorization', `Basic ${Buffer.from(value).toString('base64')}`);
const json: Flag = (request, value) => {
  request.body = value;
  if (!request.headers.has('Content-Type')) request.headers.set('Content-Type', 'application/json');
};

/** Flags that take a value, and flags that take none. A command with any other flag is not translated. */
const CURL: Record<string, Flag> = {
  '-X': method,
  '--request': method,
  '-H': header,
  '--header': header,
  '-d': body,
  '--data': body,
  '--data-raw': body,
  '--json': json,
  '-m': timeout,
  '--max-time': timeout,
  '-A': agent,
  '--user-agent': agent,
  '-u': basicAuth,
  '--user': basicAuth,
  '-o': ignore,
  '--output': ignore,
  '--connect-timeout': ignore,
  '--retry': ignore,
  '--retry-delay': ignore,
};
const CURL_SWITCHES =
  /^(-[sSfLg]+|--silent|--show-error|--fail|--fail-with-body|--location|--compressed|--no-progress-meter)$/;
const WGET: Record<string, Flag> = {
  '-O': ignore,
  '--output-document': ignore,
  '-T': timeout,
  '--timeout': timeout,
  '-t': ignore,
  '--tries': ignore,
  '-U': agent,
  '--user-agent': agent,
  '--header': header,
  '--method': method,
  '--post-data': body,
  '--body-data': body,
};
const WGET_SWITCHES = /^(-q|-nv|--quiet|--no-verbose|-qO-|-qO|-O-|--spider|-q0)$/;

/** Undefined for any other command, and for one that does more than the target of a job can. */
export function httpCommandOf(command: string): HttpCommand | undefined {
  const [program, ...args] = shellWords(command) ?? [];
  const name = program?.split('/').at(-1);
  if (name !== 'curl' && name !== 'wget') return undefined;
  const request = name === 'curl' ? read(args, CURL, CURL_SWITCHES) : read(args, WGET, WGET_SWITCHES);
  const [url, ...others] = request?.urls ?? [];
  if (!request || url === undefined || others.length > 0) return undefined;
  const payload = payloadOf(request.body);
  if (request.body !== undefined && payload === undefined) return undefined;
  const { headers, timeoutSec } = request;
  return {
    target: {
      type: 'http',
      url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`,
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      ...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(timeoutSec ? { timeout: `${Math.ceil(timeoutSec)}s` } : {}),
    },
    ...(payload === undefined ? {} : { payload }),
  };
}

function read(args: readonly string[], flags: Record<string, Flag>, switches: RegExp): Request | undefined {
  const request: Request = { urls: [], headers: new Map() };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith('-')) {
      request.urls.push(arg);
      continue;
    }
    if (switches.test(arg)) continue;
    const [, long, attached] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    const short = arg.slice(0, 2);
    if (long && flags[long]) flags[long](request, attached as string);
    else if (flags[arg] && at + 1 < args.length) flags[arg](request, args[++at] as string);
    else if (!arg.startsWith('--') && flags[short] && arg.length > 2) flags[short](request, arg.slice(2));
    else return undefined;
  }
  return request;
}

/** The body as JSON; undefined if it is not JSON, such as a form or a file (`@name`). */
function payloadOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the reason does not matter
  }
}
