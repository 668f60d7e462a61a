import { makeIdentity } from '../../../../bench/support/certificate';
import { get, put, target, worldWithSecret } from './secret-calls';

const NOW_MS = Date.UTC(2026, 10, 23);
const { key, cert, ca } = makeIdentity(NOW_MS);
const other = makeIdentity(NOW_MS);
const pem = (value: string, hosts = ['example.com']) => ({ value, kind: 'pem', hosts });

async function worldWithPem() {
  const world = await worldWithSecret();
  for (const [name, value] of Object.entries({ cert, key, both: cert + key, several: cert + ca }))
    expect((await put(world, name, pem(value))).status).toBe(201);
  return world;
}

describe('a secret of kind pem', () => {
  it('shows its kind and the end of its certificates, and nothing of its value', async () => {
    const world = await worldWithPem();
    const { body } = await get(world, 'several');
    expect(body).toMatchObject({ kind: 'pem', validUntil: '2026-11-24T00:00:00.000Z' });
    expect((await get(world, 'key')).body).toMatchObject({ kind: 'pem', validUntil: null });
    expect((await get(world, 'crm')).body).toMatchObject({ kind: 'text', validUntil: null });
    expect(JSON.stringify(body)).not.toContain(cert.slice(40, 80));
  });

  it('may have 16 kB, and one of kind text 4 kB', async () => {
    const world = await worldWithPem();
    const long = cert + '#'.repeat(16_384 - Buffer.byteLength(cert));
    expect((await put(world, 'cert', pem(long))).status).toBe(200);
    expect((await put(world, 'cert', pem(`${long}#`))).body.errors).toEqual([
      { path: 'value', message: 'must have at most 16384 bytes in UTF-8' },
    ]);
    expect((await put(world, 'crm', { value: 'x'.repeat(4_097) })).body.errors).toEqual([
      { path: 'value', message: 'must have at most 4096 bytes in UTF-8, or 16384 with kind "pem"' },
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['no PEM', 'p4ssw0rd-of-the-crm', /^must be certificates or a private key in PEM/],
    ['a request', cert.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'), /must not have a block/],
    ['a broken certificate', cert.replace(/MII/, 'MIJ'), /has a certificate that cannot be read/],
    ['a broken key', key.replace(/MII/, 'MIJ'), /has a private key that cannot be read/],
    [
      'an encrypted key',
      key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'),
      /must not have an encrypted/,
    ],
    ['two keys', key + other.key, /must have one private key, not 2/],
    ['a key of another certificate', cert + other.key, /must have a private key that fits/],
  ])('is not %s', async (_, value, message) => {
    const world = await worldWithSecret();
    const { status, body } = await put(world, 'bad', pem(value));
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'value', message: expect.stringMatching(message) }],
    ]);
    expect(JSON.stringify(body)).not.toContain(value.slice(60, 80) || value);
  });
});

describe('tls of a target', () => {
  const tls = (more: object = {}) => ({
    certificate: '{{ secrets.cert }}',
    key: '{{ secrets.key }}',
    ...more,
  });

  it('names secrets of that kind, which then have a user', async () => {
    const world = await worldWithPem();
    const given = target({ tls: tls({ ca: '{{ secrets.several }}' }) });
    const { status, body } = await world.create({ jobId: 'pay', target: given });
    expect([status, body.target]).toMatchObject([201, given]);
    for (const name of ['cert', 'key', 'several'])
      expect((await get(world, name)).body.users).toEqual(['pay']);
    expect((await world.create({ target: target({ tls: { ca: '{{ secrets.several }}' } }) })).status).toBe(
      201,
    );
    const one = { certificate: '{{ secrets.both }}', key: '{{ secrets.both }}' };
    expect((await world.create({ target: target({ tls: one }) })).status).toBe(201);
  });

  it.each<[string, object, string, RegExp]>([
    ['a literal', { tls: tls({ key }) }, 'tls.key', /must be one reference/],
    ['nothing', { tls: {} }, 'tls', /must have "certificate" and "key", or "ca"/],
    ['no key', { tls: { certificate: '{{ secrets.cert }}' } }, 'tls.key', /stand together/],
    ['no certificate', { tls: { key: '{{ secrets.key }}' } }, 'tls.certificate', /stand together/],
    ['an unknown field', { tls: tls({ passphrase: 'x' }) }, 'tls.passphrase', /is not a known field/],
    ['plain http', { url: 'http://example.com/', tls: tls() }, 'tls', /needs a url that starts with https/],
    ['no such secret', { tls: tls({ ca: '{{ secrets.no }}' }) }, 'tls.ca', /there is no secret "no"/],
    ['a certificate as key', { tls: tls({ key: '{{ secrets.cert }}' }) }, 'tls.key', /has no private key/],
    ['a key as certificate', { tls: tls({ ca: '{{ secrets.key }}' }) }, 'tls.ca', /has no certificate/],
    ['a text', { tls: tls({ key: '{{ secrets.crm }}' }) }, 'tls.key', /has no private key of kind "pem"/],
    [
      'a key in a header',
      { headers: { 'x-a': '{{ secrets.key }}' } },
      'headers.x-a',
      /of kind "pem": only tls may name it/,
    ],
    [
      'a key elsewhere',
      { url: 'https://bank.example/', tls: tls() },
      'tls.key',
      /may not go to the target's host/,
    ],
  ])('is rejected with %s', async (_, more, path, message) => {
    const world = await worldWithPem();
    const { status, body } = await world.create({ target: target(more) });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path: `target.${path}`, message: expect.stringMatching(message) });
  });
});
