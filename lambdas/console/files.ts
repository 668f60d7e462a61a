import type { ConsoleSignIn } from '../core/contracts/sign-in';

/** A file of the console as the build describes it. */
export interface ConsoleFile {
  /** Content type. */
  type: string;
  /** Strong entity tag of the uncompressed file, with its quotes. */
  etag: string;
}

/** The built console: its files by path, such as `assets/main-1a2b3c.js`, and their content. */
export interface BuiltConsole {
  files: Readonly<Record<string, ConsoleFile>>;
  /** `suffix`: `.br`, `.gz`, or empty for the uncompressed file. */
  read(path: string, suffix: Encoding['suffix']): Buffer;
}

export interface FileRequest {
  /** Path of the request, decoded or not: names of files have no characters that differ. */
  path: string;
  acceptEncoding: string;
  ifNoneMatch: string;
}

export interface FileResponse {
  status: 200 | 302 | 304 | 404;
  headers: Record<string, string>;
  body?: Buffer;
}

interface Encoding {
  name: 'br' | 'gzip' | undefined;
  suffix: '.br' | '.gz' | '';
}

const ROOT = '/console';
const PAGE = 'index.html';
/** Names in this folder contain a hash of the content, so that a response never gets old. */
const HASHED = 'assets/';
const YEAR_SEC = 31_536_000;

/**
 * Serves the files of the console. A path that names no file is one of the console's own addresses, which the
 * page reads: it gets the page. Known are the files of the build alone, so no path leads out of its folder.
 */
export function consoleFiles(built: BuiltConsole, signIn: ConsoleSignIn) {
  const common = securityHeaders(signIn);
  const config = Buffer.from(JSON.stringify(signIn));
  return ({ path, acceptEncoding, ifNoneMatch }: FileRequest): FileResponse => {
    if (path === '/') return { status: 302, headers: { ...common, location: `${ROOT}/` } };
    const name = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : '';
    if (name === 'config.json') {
      const headers = { ...common, 'content-type': 'application/json', 'cache-control': 'no-cache' };
      return { status: 200, headers, body: config };
    }
    const isFile = Object.hasOwn(built.files, name);
    if (!isFile && name.startsWith(HASHED))
      return { status: 404, headers: { ...common, 'cache-control': 'no-store' } };
    const file = isFile ? name : PAGE;
    const { type, etag } = built.files[file]!;
    const headers = {
      ...common,
      etag,
      vary: 'accept-encoding',
      'cache-control': name.startsWith(HASHED) ? `public, max-age=${YEAR_SEC}, immutable` : 'no-cache',
    };
    if (tagsIn(ifNoneMatch).includes(etag)) return { status: 304, headers };
    const { name: encoding, suffix } = bestEncoding(acceptEncoding);
    return {
      status: 200,
      headers: { ...headers, 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
      body: built.read(file, suffix),
    };
  };
}

/** A proxy that compresses makes tags weak. For `If-None-Match`, weak tags are equal to strong ones. */
const tagsIn = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

function bestEncoding(accepted: string): Encoding {
  const refused = /;\s*q=0(?:\.0*)?$/;
  const names = accepted
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !refused.test(item))
    .map((item) => item.split(';')[0]!.trim());
  if (names.includes('br')) return { name: 'br', suffix: '.br' };
  return names.includes('gzip') ? { name: 'gzip', suffix: '.gz' } : { name: undefined, suffix: '' };
}

/**
 * The page runs scripts of this origin alone and makes no HTML from text (Trusted Types). It connects to this
 * origin and to the token endpoint.
 */
function securityHeaders({ tokenEndpoint }: ConsoleSignIn): Record<string, string> {
  const issuer = URL.canParse(tokenEndpoint) ? ` ${new URL(tokenEndpoint).origin}` : '';
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${issuer}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': `max-age=${YEAR_SEC}`,
    'x-content-type-options': 'nosniff',
  };
}
