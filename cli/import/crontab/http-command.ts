import type { Definition } from '../../schedules-as-code/definition';
import { shellWords } from '../shell-words';

/** The HTTP request that a `curl` or `wget` command makes. */
export interface HttpCommand {
  target: Definition;
  payload?: unknown;
  /** Absent: the command makes one attempt. */
  maxAttempts?: number;
  /** What the call does otherwise than the command. */
  notes: string[];
}

interface Request {
  urls: string[];
  method?: string;
  /** A map: any name is a key, also `__proto__`. */
  headers: Map<string, string>;
  body?: string;
  timeoutSec?: number;
  maxAttempts?: number;
  /** `name:password`, or the keys of a signature. */
  user?: string;
  /** For a signature of AWS. */
  auth?: { type: 'aws'; service: string; region: string };
  /** Files, by what they are to the handshake. */
  tls: Map<'certificate' | 'key' | 'ca', string>;
  /** Where the response goes; `-` is the output. */
  output?: string;
  notes: string[];
}

/** False for a value that a job cannot have: the line stays a command. */
type Flag = (request: Request, value: string) => boolean;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const noted =
  (text: string): Flag =>
  ({ notes }, value) =>
    notes.push(text.replaceAll('{value}', value)) > 0;
const method: Flag = (request, value) => METHODS.includes((request.method = value.toUpperCase()));
const timeout: Flag = (request, value) => {
  request.timeoutSec = Number(value);
  return request.timeoutSec >= 0;
};
/** Several bodies are one form. */
const body: Flag = (request, value) => {
  const isFirst = request.body === undefined;
  request.body = value;
  return isFirst;
};
const header: Flag = ({ headers }, value) => {
  const colon = value.indexOf(':');
  const [name, text] = [value.slice(0, colon).trim(), value.slice(colon + 1).trim()];
  if (colon < 1 || value.startsWith('@') || text === '') return false;
  headers.set(name, text);
  return true;
};
const agent: Flag = ({ headers }, value) => headers.set('User-Agent', value).size > 0;
const user: Flag = (request, value) => Boolean((request.user = value));
/** Services that a job may sign for. */
const SIGNED = ['execute-api', 'lambda', 'vpc-lattice-svcs', 'es', 'aoss', 'appsync'];
const signature: Flag = (request, value) => {
  const [, , region, service] = value.split(':');
  if (region === undefined || service === undefined || !SIGNED.includes(service)) return false;
  request.auth = { type: 'aws', service, region };
  request.notes.push(
    `it signs for ${service}: signedCalls of the deployment has to allow it, and its keys are not imported`,
  );
  return true;
};
/** A file without a password, which becomes a secret. */
const file =
  (part: 'certificate' | 'key' | 'ca'): Flag =>
  ({ tls, notes }, value) => {
    if (value.includes(':')) return false;
    const secret = secretOf(value);
    tls.set(part, `{{ secrets.${secret} }}`);
    return notes.push(`the file ${value} becomes a secret of kind pem: create it as ${secret}`) > 0;
  };
const secretOf = (path: string): string =>
  path
    .split('/')
    .at(-1)!
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z]+/, '') || 'pem';
const json: Flag = (request, value) => {
  if (!request.headers.has('Content-Type')) request.headers.set('Content-Type', 'application/json');
  return body(request, value);
};
const output: Flag = (request, value) => Boolean((request.output = value));
const retries: Flag = (request, value) => {
  request.maxAttempts = Number(value) + 1;
  request.notes.push(`--retry ${value} becomes retry.maxAttempts: each failure is retried`);
  return Number.isInteger(request.maxAttempts) && request.maxAttempts >= 1;
};

const CONNECT_TIMEOUT = noted(
  'the time-out of the connection is not imported: target.timeout is of the call',
);

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
  '-u': user,
  '--user': user,
  '--aws-sigv4': signature,
  '-E': file('certificate'),
  '--cert': file('certificate'),
  '--key': file('key'),
  '--cacert': file('ca'),
  '-o': output,
  '--output': output,
  '--connect-timeout': CONNECT_TIMEOUT,
  '--retry': retries,
  '--retry-delay': noted('--retry-delay {value} is not imported: see retry.initialDelay'),
};
const CURL_SWITCHES =
  /^(-[sSfL]+|--silent|--show-error|--fail|--fail-with-body|--location|--compressed|--no-progress-meter)$/;
const WGET: Record<string, Flag> = {
  '-O': output,
  '-qO': output,
  '--output-document': output,
  '-T': timeout,
  '--timeout': timeout,
  '-t': noted('tries of wget ({value}) are not imported: a job has retry.maxAttempts'),
  '--tries': noted('tries of wget ({value}) are not imported: a job has retry.maxAttempts'),
  '-U': agent,
  '--user-agent': agent,
  '--header': header,
  '--method': method,
  '--post-data': body,
  '--body-data': body,
  '--certificate': file('certificate'),
  '--private-key': file('key'),
  '--ca-certificate': file('ca'),
};
const WGET_SWITCHES = /^(-q|-nv|--quiet|--no-verbose)$/;
/** A response that goes nowhere else is kept in the history. */
const KEPT = ['-', '/dev/null'];
/** curl reads these in a URL as several URLs. */
const GLOB = /[[\]{}]/;

/** Undefined for any other command, and for one that does more than the target of a job can. */
export function httpCommandOf(command: string): HttpCommand | undefined {
  const [program, ...args] = shellWords(command) ?? [];
  const name = program?.split('/').at(-1);
  if (name !== 'curl' && name !== 'wget') return undefined;
  const request = name === 'curl' ? read(args, CURL, CURL_SWITCHES) : read(args, WGET, WGET_SWITCHES);
  const [url, ...others] = request?.urls ?? [];
  if (!request || url === undefined || others.length > 0 || GLOB.test(url)) return undefined;
  // Without a name, wget writes to a file that it names itself.
  const { headers, auth, tls, timeoutSec, maxAttempts, output: to = name === 'curl' ? '-' : '' } = request;
  const payload = payloadOf(request.body);
  // One of them alone has the other in its file.
  if (tls.has('certificate') !== tls.has('key')) return undefined;
  proveIn(request);
  if (!KEPT.includes(to) || (request.body !== undefined && payload === undefined)) return undefined;
  return {
    target: {
      type: 'http',
      url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`,
      method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
      ...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(auth && { auth }),
      ...(tls.size > 0 && { tls: Object.fromEntries(tls) }),
      ...(timeoutSec ? { timeout: `${Math.ceil(timeoutSec)}s` } : {}),
    },
    ...(payload === undefined ? {} : { payload }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    notes: [...request.notes, ...differencesOf(name, args, request)],
  };
}

/** The user is a header, unless it has the keys of a signature. A job signs with keys of its deployment. */
function proveIn({ user: given, auth, headers }: Request): void {
  if (auth) for (const name of headers.keys()) if (/^x-amz-security-token$/i.test(name)) headers.delete(name);
  if (given !== undefined && !auth)
    headers.set('Authorization', `Basic ${Buffer.from(given).toString('base64')}`);
}

/** What the command does by itself, and a job does not. */
function differencesOf(name: 'curl' | 'wget', args: readonly string[], { timeoutSec }: Request): string[] {
  const follows =
    name === 'wget' || args.some((arg) => arg === '--location' || /^-[sSfL]*L[sSfL]*$/.test(arg));
  return [
    ...(follows ? [`${name} follows redirects here, and a job does not: give the last URL`] : []),
    ...(timeoutSec ? [] : [`${name} has no time-out here; a call ends at target.timeout`]),
  ];
}

function read(args: readonly string[], flags: Record<string, Flag>, switches: RegExp): Request | undefined {
  const request: Request = { urls: [], headers: new Map(), tls: new Map(), notes: [] };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith('-')) {
      request.urls.push(arg);
      continue;
    }
    if (switches.test(arg)) continue;
    const [, long, attached] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? [];
    const short = Object.keys(flags).find((flag) => !flag.startsWith('--') && arg.startsWith(flag));
    let isRead: boolean | undefined;
    if (long) isRead = flags[long]?.(request, attached as string);
    else if (flags[arg] && at + 1 < args.length) isRead = flags[arg](request, args[++at] as string);
    else if (!arg.startsWith('--') && short && !flags[arg])
      isRead = flags[short]?.(request, arg.slice(short.length));
    if (!isRead) return undefined;
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
