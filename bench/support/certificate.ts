import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

import { DAY_MS } from '../../local/machine/clock';

/** What a server on loopback needs for TLS, and what its clients have to trust. In PEM. */
export interface ServerIdentity {
  key: string;
  cert: string;
  ca: string;
}

const LOOPBACK = Buffer.from([127, 0, 0, 1]);
const RSA_BITS = 2_048;
const SERIAL_BYTES = 8;

/** ASN.1 tags, as DER writes them. */
const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  ipAddress: 0x87,
} as const;

/** Object identifiers, encoded. */
const Oid = {
  sha256WithRsa: '2a864886f70d01010b',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const;

/**
 * A certificate for 127.0.0.1 with an authority of its own, for a day: two certificates, as most receivers
 * send. Node.js makes keys and signatures, but no certificates.
 */
export function makeIdentity(nowMs: number): ServerIdentity {
  const authority = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const server = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
  const issue = (subject: string, key: KeyObject, extension: Buffer): string =>
    certificate({ subject, key, extension, nowMs }, authority.privateKey);
  return {
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: issue(
      'bench receiver',
      server.publicKey,
      extensionOf(Oid.subjectAltName, [Tag.ipAddress, LOOPBACK]),
    ),
    ca: issue(
      AUTHORITY,
      authority.publicKey,
      extensionOf(Oid.basicConstraints, [Tag.boolean, Buffer.of(0xff)]),
    ),
  };
}

const AUTHORITY = 'bench authority';

interface Contents {
  subject: string;
  key: KeyObject;
  extension: Buffer;
  nowMs: number;
}

function certificate({ subject, key, extension, nowMs }: Contents, authorityKey: KeyObject): string {
  const algorithm = sequence(oid(Oid.sha256WithRsa), tlv(Tag.null));
  const contents = sequence(
    tlv(Tag.version, tlv(Tag.integer, Buffer.of(2))), // version 3
    // The first bit is clear: a serial number is positive.
    tlv(Tag.integer, Buffer.of(1), randomBytes(SERIAL_BYTES)),
    algorithm,
    nameOf(AUTHORITY),
    sequence(utcTime(nowMs - DAY_MS), utcTime(nowMs + DAY_MS)),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    tlv(Tag.extensions, sequence(extension)),
  );
  const signature = sign('sha256', contents, authorityKey);
  const der = sequence(contents, algorithm, tlv(Tag.bitString, Buffer.of(0), signature));
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const extensionOf = (id: string, [tag, value]: readonly [number, Buffer]): Buffer =>
  sequence(oid(id), tlv(Tag.octetString, sequence(tlv(tag, value))));

const nameOf = (text: string): Buffer =>
  sequence(tlv(Tag.set, sequence(oid(Oid.commonName), tlv(Tag.utf8String, Buffer.from(text)))));

const utcTime = (atMs: number): Buffer =>
  tlv(Tag.utcTime, Buffer.from(new Date(atMs).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '') + 'Z'));

const oid = (hex: string): Buffer => tlv(Tag.oid, Buffer.from(hex, 'hex'));
const sequence = (...parts: Buffer[]): Buffer => tlv(Tag.sequence, ...parts);

/** Tag, length and value. A length from 128 on has a byte before it that counts its bytes. */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const hex = value.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const head = value.length < 128 ? [tag, value.length] : [tag, 0x80 | length.length, ...length];
  return Buffer.concat([Buffer.from(head), value]);
}
