import { type BuiltConsole, consoleFiles, type FileRequest } from '../../../lambdas/console/files';

const built: BuiltConsole = {
  files: {
    'index.html': { type: 'text/html; charset=utf-8', etag: '"page"' },
    'assets/main-1a2b.js': { type: 'text/javascript; charset=utf-8', etag: '"main"' },
    'mark.svg': { type: 'image/svg+xml', etag: '"mark"' },
  },
  read: (path, suffix) => Buffer.from(path + suffix),
};
const signIn = {
  issuer: 'https://login.example.com',
  authorizationEndpoint: 'https://login.example.com/authorize',
  tokenEndpoint: 'https://login.example.com/token',
  clientId: 'console',
  scopes: ['openid'],
  callbackUrls: ['https://jobs.example.com/console/'],
  version: '1.2.3',
};
const answer = consoleFiles(built, signIn);
const get = (path: string, headers: Partial<FileRequest> = {}) =>
  answer({ path, acceptEncoding: '', ifNoneMatch: '', ...headers });
const bodyOf = (path: string, headers?: Partial<FileRequest>) => get(path, headers).body?.toString();

test('the root leads to the console', () => {
  expect(get('/')).toMatchObject({ status: 302, headers: { location: '/console/' } });
});

test.each([
  '/console',
  '/console/',
  '/console/jobs',
  '/console/jobs/a/executions/20261122T083000.000Z',
  '/console/jobs/main.js',
  '/console/../../etc/passwd',
  '/console/..%2f..%2fetc%2fpasswd',
  '/console/files.json',
  '/console/constructor',
  '/console/__proto__',
])('%s is the page', (path) => {
  expect(get(path)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache', etag: '"page"' } });
  expect(bodyOf(path)).toBe('index.html');
});

test('a file whose name has a hash is kept for a year', () => {
  const { status, headers } = get('/console/assets/main-1a2b.js');
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
});

test('a file of another build is missing, and that is not kept', () => {
  expect(get('/console/assets/main-old.js')).toMatchObject({
    status: 404,
    headers: { 'cache-control': 'no-store' },
  });
});

test.each([
  ['br, gzip', 'br', 'index.html.br'],
  ['gzip, deflate, br;q=0.5', 'br', 'index.html.br'],
  ['GZIP', 'gzip', 'index.html.gz'],
  ['br;q=0, gzip', 'gzip', 'index.html.gz'],
  ['br;q=0.0', undefined, 'index.html'],
  ['', undefined, 'index.html'],
  ['zstd', undefined, 'index.html'],
])('Accept-Encoding %j gets %s', (acceptEncoding, encoding, body) => {
  const { headers } = get('/console/', { acceptEncoding });
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers.vary).toBe('accept-encoding');
  expect(bodyOf('/console/', { acceptEncoding })).toBe(body);
});

test.each(['"page"', 'W/"page"', '"other", "page"'])(
  'If-None-Match %s is answered 304 without a body',
  (tag) => {
    const { status, body } = get('/console/jobs', { ifNoneMatch: tag });
    expect([status, body]).toEqual([304, undefined]);
    expect(get('/console/jobs', { ifNoneMatch: '"other"' }).status).toBe(200);
  },
);

test('config.json says how to sign in, and is checked each time', () => {
  expect(get('/console/config.json').headers['cache-control']).toBe('no-cache');
  expect(JSON.parse(bodyOf('/console/config.json')!)).toEqual(signIn);
});

test('every response has the policy: own scripts, no HTML from text, calls to this origin and the issuer', () => {
  for (const path of ['/', '/console/', '/console/assets/gone.js', '/console/config.json']) {
    const { headers } = get(path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self' https://login.example.com; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  }
});

test('a token endpoint of this origin adds none to the policy', () => {
  const local = consoleFiles(built, { ...signIn, tokenEndpoint: '/_local/token' });
  const { headers } = local({ path: '/console/', acceptEncoding: '', ifNoneMatch: '' });
  expect(headers['content-security-policy']).toContain("connect-src 'self';");
});
