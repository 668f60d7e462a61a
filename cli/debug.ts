import type { Io } from './io';
import { isObject } from './is-object';
import { lines } from './terminal/printable';

type Fetch = (request: Request) => Promise<Response>;

/** What stands in place of a secret. */
export const HIDDEN = '[hidden]';
/** Fields and parameters whose values are secret, wherever they are. */
const SECRET_NAME =
  /secret|token|passw|pwd|passphrase|authorization|credential|cookie|signature|^sig$|(?:api|access)[-_]?key|private|connection[-_]?string/i;
/** Routes whose bodies are secret as a whole. */
const SECRET_PATH = /^\/v1\/(?:secrets|signing-secret|api-keys|ping-key|attempts|work)\b/;
/** API keys, keys for pings, signing secrets and JWTs within any text. */
const SECRET_TEXT =
  /qj[psb]?_[\w-]{8,}|whsec_[\w+/=-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bBearer\s+\S+|\bBasic\s+\S+/g;
const PASSWORD_IN_URL = /(\w+:\/\/)[^\s/?#@]+@/g;
const PARAMETER = /([?&])([^=&#\s"]+)=([^&#\s"]*)/g;

/** A `fetch` that prints each request and its answer on stderr. No secret is printed. */
export function printingRequests(fetch: Fetch, { stderr, nowMs }: Pick<Io, 'stderr' | 'nowMs'>): Fetch {
  const print = (text: string) => void stderr.write(`${lines(text)}\n`);
  return async (request) => {
    print(await requestText(request));
    const startedMs = nowMs();
    try {
      const response = await fetch(request);
      const id = response.headers.get('quarterjack-request-id') ?? response.headers.get('apigw-requestid');
      print(`< ${response.status} in ${nowMs() - startedMs} ms${id === null ? '' : `, request ${id}`}`);
      return response;
    } catch (error) {
      print(`< no response after ${nowMs() - startedMs} ms`);
      throw error;
    }
  };
}

async function requestText(request: Request): Promise<string> {
  const headers = [...request.headers].map(([name, value]) =>
    SECRET_NAME.test(name) ? `>   ${name}: ${HIDDEN}` : `>   ${name}: ${withoutSecrets(value)}`,
  );
  const body = await request.clone().text();
  const { pathname } = new URL(request.url);
  const shown = body === '' ? [] : [`>   ${SECRET_PATH.test(pathname) ? HIDDEN : bodyText(body)}`];
  return [`> ${request.method} ${withoutSecrets(request.url)}`, ...headers, ...shown].join('\n');
}

function bodyText(text: string): string {
  try {
    return JSON.stringify(visible(JSON.parse(text)));
  } catch {
    return `${Buffer.byteLength(text)} bytes`;
  }
}

/** The value without its secrets. Headers of targets are hidden as a whole, since any may be a credential. */
export function visible(value: unknown, name = ''): unknown {
  if (SECRET_NAME.test(name) && value !== null && typeof value !== 'boolean') return HIDDEN;
  if (typeof value === 'string') return withoutSecrets(value);
  if (Array.isArray(value)) return value.map((one) => visible(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, name === 'headers' ? HIDDEN : visible(one, key)]),
  );
}

/** Whether the field at a dotted path is hidden by its names. */
export const isSecretPath = (path: string): boolean =>
  path.split('.').some((name) => SECRET_NAME.test(name)) || /(?:^|\.)headers\./.test(path);

/** The text without what looks like a credential, wherever it is. */
export const withoutSecrets = (text: string): string =>
  text
    .replace(PASSWORD_IN_URL, `$1${HIDDEN}@`)
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      SECRET_NAME.test(name) ? `${mark}${name}=${HIDDEN}` : whole,
    )
    .replace(SECRET_TEXT, HIDDEN);
