import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import type { StageFunction } from '../support/functions';
import { median } from '../support/percentiles';

const ROUNDS = 20;
const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'bench';
const KID = 'k';
export const MAX_FIRST_VERIFICATION_MS = 150;

export interface FirstVerification {
  /** Of `ROUNDS` fresh processes: the import of the bundle, the read of the key set, and the verification. */
  firstVerificationMs: number;
  leastFirstVerificationMs: number;
}

const run = promisify(execFile);

/** How long the authorizer takes for the first token of a new execution environment. */
export async function measureFirstVerification(authorizer: StageFunction): Promise<FirstVerification> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: KID }] });
  const server = createServer((_, response) => void response.end(keySet)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const token = await new SignJWT({ scope: 'jobs:read' })
    .setProtectedHeader({ alg: 'RS256', kid: KID })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('bench')
    .setExpirationTime('1h')
    .sign(privateKey);
  const env = {
    ...authorizer.variables,
    ISSUER,
    AUDIENCE: JSON.stringify([AUDIENCE]),
    JWKS_URI: `http://127.0.0.1:${port}/`,
  };
  const event = JSON.stringify({ identitySource: [`Bearer ${token}`] });
  const script = join(__dirname, 'first-verification.mjs');
  const measureOnce = async (): Promise<number> => {
    const { stdout } = await run(process.execPath, [script, authorizer.bundle, event], { env });
    return Number(stdout.trim().split('\n').at(-1));
  };
  try {
    await measureOnce(); // brings the files into the page cache
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce());
    return {
      firstVerificationMs: Math.round(median(rounds)),
      leastFirstVerificationMs: Math.round(Math.min(...rounds)),
    };
  } finally {
    server.close();
  }
}
