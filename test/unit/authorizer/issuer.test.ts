import { fetchJson } from '../../../lambdas/authorizer/fetch-json';
import { issuerOf } from '../../../lambdas/authorizer/issuer';
import { systemClock } from '../../../lambdas/core/clock/system-clock';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

const ISSUER = 'https://issuer.example.com';
const DISCOVERY = `${ISSUER}/.well-known/openid-configuration`;
const DOCUMENT = { issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, userinfo_endpoint: `${ISSUER}/me` };

/** An issuer that has these documents, by URL. `asked` lists the requests so far. */
function setUp(documents: Record<string, Record<string, unknown>>, jwksUri?: string) {
  const asked: string[] = [];
  const issuer = issuerOf({ issuer: ISSUER, jwksUri }, async (url, _timeoutMs, headers) => {
    asked.push([url, headers?.authorization].filter(Boolean).join(' '));
    const found = documents[url];
    if (!found) throw new Error(`${url} answered 404`);
    return found;
  });
  return { issuer, asked };
}

test('the discovery document names the key set and the userinfo endpoint, and is read once', async () => {
  const { issuer, asked } = setUp({
    [DISCOVERY]: DOCUMENT,
    [`${ISSUER}/keys`]: { keys: [] },
    [`${ISSUER}/me`]: { sub: 'alice' },
  });
  expect(await issuer.readKeySet()).toEqual({ keys: [] });
  expect(await issuer.userInfo('t')).toEqual({ sub: 'alice' });
  expect(asked).toEqual([DISCOVERY, `${ISSUER}/keys`, `${ISSUER}/me Bearer t`]);
});

test('with a configured key set, nothing else is asked', async () => {
  const { issuer, asked } = setUp(
    { 'https://other.example.com/keys': { keys: [] } },
    'https://other.example.com/keys',
  );
  expect(await issuer.readKeySet()).toEqual({ keys: [] });
  expect(await issuer.userInfo('t')).toBeUndefined();
  expect(asked).toEqual(['https://other.example.com/keys']);
});

test('an issuer without a userinfo endpoint has nothing to say', async () => {
  const { issuer } = setUp({ [DISCOVERY]: { ...DOCUMENT, userinfo_endpoint: undefined } });
  expect(await issuer.userInfo('t')).toBeUndefined();
});

test.each([
  [{ ...DOCUMENT, issuer: 'https://evil.example' }, 'is the document of another issuer'],
  [{ ...DOCUMENT, jwks_uri: undefined }, 'names no jwks_uri'],
  [{ ...DOCUMENT, jwks_uri: 'http://issuer.example.com/keys' }, 'expected an https URL'],
])('the document %j names no key set: %s', async (document, message) => {
  await expect(setUp({ [DISCOVERY]: document }).issuer.readKeySet()).rejects.toThrow(message);
});

test('a document that fails is asked for again', async () => {
  const documents: Record<string, Record<string, unknown>> = { [`${ISSUER}/keys`]: { keys: [] } };
  const { issuer } = setUp(documents);
  await expect(issuer.readKeySet()).rejects.toThrow('answered 404');
  documents[DISCOVERY] = DOCUMENT;
  expect(await issuer.readKeySet()).toEqual({ keys: [] });
});

describe('a document is refused', () => {
  let server: LoopbackServer;
  let respond: Parameters<typeof listenOnLoopback>[0];
  beforeAll(async () => {
    server = await listenOnLoopback((request, response) => respond(request, response));
  });
  afterAll(() => server.stop());
  const read = (timeoutMs = 5_000) => fetchJson(systemClock)(server.url, timeoutMs);

  test('unless it is a JSON object', async () => {
    respond = (_, response) => response.end('{"keys":[]}');
    expect(await read()).toEqual({ keys: [] });
    respond = (_, response) => response.end('[]');
    await expect(read()).rejects.toThrow('something other than a JSON object');
    respond = (_, response) => response.end('<html>');
    await expect(read()).rejects.toThrow('JSON');
  });

  test('if it is elsewhere, or missing', async () => {
    respond = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end('{}');
    await expect(read()).rejects.toThrow('answered 302');
    respond = (_, response) => response.writeHead(503).end('{}');
    await expect(read()).rejects.toThrow('answered 503');
  });

  test('if it is too long, or does not come', async () => {
    respond = (_, response) => response.end(`"${'x'.repeat(200_000)}"`);
    await expect(read()).rejects.toThrow('more than 100000 bytes');
    respond = () => undefined;
    await expect(read(50)).rejects.toThrow('no result within 50 ms');
  });
});
