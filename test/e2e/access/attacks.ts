import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

import type { JWK } from 'jose';

import { LOCAL_AUDIENCE, LOCAL_ISSUER } from '../../../local/issuer/issuer';

/** An attack: what it tries, and the headers of its request. None of them may be taken for a valid token. */
export interface Attack {
  name: string;
  headers: string[];
  query?: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const encoded = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs tokens with the issuer's own key, and with others, valid or not. */
export function forger(jwk: JWK, kid: string, nowMs: number) {
  const privateKey = createPrivateKey({ key: jwk as never, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const nowSec = Math.floor(nowMs / 1_000);
  const claims = (overrides: object = {}) => ({
    iss: LOCAL_ISSUER,
    aud: LOCAL_AUDIENCE,
    sub: 'ann',
    scope: 'jobs:read jobs:write admin',
    iat: nowSec,
    exp: nowSec + 3_600,
    ...overrides,
  });
  const token = (
    more: { header?: object; claims?: object | string; key?: KeyObject; hash?: string } = {},
  ) => {
    const { header = {}, key = privateKey, hash = 'sha256' } = more;
    const payload = typeof more.claims === 'string' ? more.claims : claims(more.claims);
    const signed = `${encoded({ alg: 'RS256', kid, typ: 'JWT', ...header })}.${encoded(payload)}`;
    return `${signed}.${sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  };
  const hmac = (alg: string, key: string | Buffer) => {
    const signed = `${encoded({ alg, kid, typ: 'JWT' })}.${encoded(claims())}`;
    return `${signed}.${createHmac(alg.replace('HS', 'sha'), key).update(signed).digest('base64url')}`;
  };
  return { token, hmac, claims, publicKey, nowSec, kid };
}

type Forger = ReturnType<typeof forger>;
type Named = [name: string, token: string];

const algorithms = ({ token, hmac, claims, publicKey, kid }: Forger): Named[] => {
  const unsigned = (alg: string): string => `${encoded({ alg, kid })}.${encoded(claims())}.`;
  const spki = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const pkcs1 = publicKey.export({ format: 'pem', type: 'pkcs1' }).toString();
  const jwk = publicKey.export({ format: 'jwk' });
  const secrets: [string, string | Buffer][] = [
    ['the PEM', spki],
    ['the PEM without its last line feed', spki.trim()],
    ['the PKCS #1 PEM', pkcs1],
    ['the DER', publicKey.export({ format: 'der', type: 'spki' })],
    ['the JWK', JSON.stringify(jwk)],
    ['the modulus', String(jwk.n)],
    ['the bytes of the modulus', Buffer.from(String(jwk.n), 'base64url')],
    ['nothing', ''],
    ['the kid', kid],
  ];
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', 'null'].map((alg): Named => [
      `alg ${alg} without a signature`,
      unsigned(alg),
    ]),
    ...['none', 'None'].map((alg): Named => [`alg ${alg} with a signature`, token({ header: { alg } })]),
    ...secrets.flatMap(([what, secret]) =>
      ['HS256', 'HS512'].map((alg): Named => [`${alg} with ${what} as secret`, hmac(alg, secret)]),
    ),
    ...['RS384', 'RS512', 'PS256', 'ES256', 'EdDSA', 'rs256', 'RS256 ', 'A128KW'].map((alg): Named => [
      `alg ${alg}`,
      token({ header: { alg } }),
    ]),
    ['another hash under RS256', token({ hash: 'sha512' })],
    ['no alg', token({ header: { alg: undefined } })],
    ['a list as alg', token({ header: { alg: ['RS256'] } })],
  ];
};

const keys = ({ token, kid }: Forger): Named[] => {
  const { privateKey: foreign, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid };
  const url = 'https://evil.example/keys';
  const x5c = [publicKey.export({ format: 'der', type: 'spki' }).toString('base64')];
  const kids = [
    '../../dev/null',
    '/dev/null',
    'x',
    '',
    "' OR 1=1 --",
    '*',
    `${kid}\0`,
    ` ${kid}`,
    kid.toUpperCase(),
    `${kid}/../${kid}`,
    '__proto__',
    'constructor',
    url,
  ];
  return [
    ['a foreign key with the right kid', token({ key: foreign })],
    ['a foreign key in jwk', token({ key: foreign, header: { jwk } })],
    ['a foreign key in jwk, without a kid', token({ key: foreign, header: { jwk, kid: undefined } })],
    ['a foreign key at jku', token({ key: foreign, header: { jku: url } })],
    ['a foreign key at x5u', token({ key: foreign, header: { x5u: url } })],
    ['a foreign key in x5c', token({ key: foreign, header: { x5c } })],
    ['a foreign key as both jwk and jku', token({ key: foreign, header: { jwk, jku: url, kid: 'x' } })],
    ['a key of a curve under ES256', token({ key: curve, header: { alg: 'ES256' } })],
    ...kids.map((one): Named => [`the kid ${JSON.stringify(one)}`, token({ header: { kid: one } })]),
    ['no kid', token({ header: { kid: undefined } })],
    ['a list as kid', token({ header: { kid: [kid] } })],
    ['an object as kid', token({ header: { kid: { kid } } })],
    ...[['exp'], ['b64'], ['x'], [], 'exp', {}].map((crit): Named => [
      `crit ${JSON.stringify(crit)}`,
      token({ header: { crit } }),
    ]),
    ['an unencoded payload', token({ header: { b64: false, crit: ['b64'] } })],
    ...['logout+jwt', 'dpop+jwt', 'JWE', 'secevent+jwt'].map((typ): Named => [
      `typ ${typ}`,
      token({ header: { typ } }),
    ]),
  ];
};

const contents = ({ token, nowSec }: Forger): Named[] => {
  const wrong: Record<string, unknown[]> = {
    iss: [
      undefined,
      null,
      '',
      `${LOCAL_ISSUER}/`,
      LOCAL_ISSUER.toUpperCase(),
      'http://issuer.quarterjack.local',
      [LOCAL_ISSUER, 'x'],
      7,
      `${LOCAL_ISSUER}.evil.example`,
    ],
    aud: [
      undefined,
      null,
      '',
      [],
      ['x'],
      'quarterjack2',
      'quarter',
      'Quarterjack',
      ['quarterjack2'],
      { 0: LOCAL_AUDIENCE },
      7,
      `${LOCAL_AUDIENCE} x`,
    ],
    exp: [
      undefined,
      null,
      '',
      String(nowSec + 60),
      `${nowSec + 60}`,
      [nowSec + 60],
      true,
      {},
      nowSec,
      nowSec - 1,
      0,
      -1,
      Number.MIN_SAFE_INTEGER,
    ],
    nbf: [nowSec + 60, nowSec + 86_400, String(nowSec), null, [nowSec]],
    iat: [nowSec + 60, nowSec + 86_400, String(nowSec), null],
    token_use: ['id', '', null, 'Access', ['access']],
    at_hash: ['x'],
    c_hash: ['x'],
    typ: ['ID'],
  };
  return [
    ...Object.entries(wrong).flatMap(([claim, values]) =>
      values.map((value): Named => [
        `${claim} ${JSON.stringify(value)}`,
        token({ claims: { [claim]: value } }),
      ]),
    ),
    ...['', '[]', '"x"', 'null', '7', '{', '{"iss":'].map((text): Named => [
      `the claims ${text}`,
      token({ claims: text }),
    ]),
  ];
};

const shapes = ({ token, claims }: Forger): Named[] => {
  const valid = token();
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const flipped = Buffer.from(signature, 'base64url');
  flipped[10] = (flipped[10] as number) ^ 1;
  return [
    ...[...ALPHABET]
      .filter((one) => !valid.endsWith(one))
      .map((one): Named => [`the last character ${one}`, valid.slice(0, -1) + one]),
    ['a flipped bit', `${header}.${payload}.${flipped.toString('base64url')}`],
    ['other claims', `${header}.${encoded(claims({ sub: 'bob' }))}.${signature}`],
    ['no signature', `${header}.${payload}.`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${valid}.x`],
    ['five parts', `${valid}.x.y`],
    ['padding', `${valid}==`],
    ['a cut signature', valid.slice(0, -4)],
    ['a longer signature', `${valid}AAAA`],
    ['an empty header', `.${payload}.${signature}`],
    ['the header of a list', `${encoded('[]')}.${payload}.${signature}`],
    ['a JSON serialization', encoded(JSON.stringify({ protected: header, payload, signature }))],
    ['a reversed order', `${signature}.${payload}.${header}`],
    [
      'a standard base64 alphabet',
      `${header}.${payload}.${Buffer.from(signature, 'base64url').toString('base64')}`,
    ],
  ];
};

/** Attacks by the form of the request, with a valid token. */
const requests = ({ token }: Forger): Attack[] => {
  const valid = token();
  const bearer = `Bearer ${valid}`;
  return [
    {
      name: 'two headers, the second one valid',
      headers: ['Authorization', 'Bearer x', 'Authorization', bearer],
    },
    {
      name: 'two headers, the first one valid',
      headers: ['Authorization', bearer, 'Authorization', 'Bearer x'],
    },
    { name: 'the same header twice', headers: ['Authorization', bearer, 'authorization', bearer] },
    { name: 'a list of tokens', headers: ['Authorization', `${bearer}, ${bearer}`] },
    { name: 'two tokens', headers: ['Authorization', `Bearer ${valid} ${valid}`] },
    { name: 'an inner tab', headers: ['Authorization', `Bearer ${valid.slice(0, 40)}\t${valid.slice(40)}`] },
    { name: 'another scheme', headers: ['Authorization', `Basic ${valid}`] },
    { name: 'the scheme twice', headers: ['Authorization', `Bearer Bearer ${valid}`] },
    { name: 'quotes', headers: ['Authorization', `Bearer "${valid}"`] },
    { name: 'a parameter', headers: ['Authorization', `Bearer token=${valid}`] },
    { name: 'the token in the query', headers: [], query: `?access_token=${valid}` },
    { name: 'the header in the query', headers: [], query: `?Authorization=${encodeURIComponent(bearer)}` },
    { name: 'a cookie', headers: ['Cookie', `Authorization=${bearer}; access_token=${valid}`] },
    { name: 'another header', headers: ['X-Authorization', bearer] },
    { name: 'a header of proxies', headers: ['Proxy-Authorization', bearer] },
    { name: 'the header of the AWS authorizer', headers: ['X-Amz-Security-Token', valid] },
  ];
};

/** All attacks with the issuer's key set and its private key at hand. */
export const attacksOf = (one: Forger): Attack[] => [
  ...[...algorithms(one), ...keys(one), ...contents(one), ...shapes(one)].map(([name, token]) => ({
    name,
    headers: ['Authorization', `Bearer ${token}`],
  })),
  ...requests(one),
];
