import { createHmac, timingSafeEqual } from 'node:crypto';

import type { JobRef } from '../contracts/tables';
import { checksumOf, keyIdFrom } from './key-format';

/*
 * `qjp_<pingId><mac><checksum>`: a client that has it may ping one monitor, and nothing else. It is derived
 * from the deployment's secret, and never stored. So it can be shown again, and no table has one to steal.
 */

const KEY = /^(qjp_([0-9a-z]{16})[\w-]{22})([0-9A-Za-z]{6})$/;
const MAC_BYTES = 16;

/** A monitor, and what tells it from an earlier one with its id. */
export interface Monitored extends JobRef {
  createdAtMs: number;
}

/** The id in a monitor's keys. It always follows from the job, and tells nothing of it. */
export const pingIdOf = ({ userId, jobId }: JobRef, secret: Buffer): string =>
  keyIdFrom(macOf(secret, ['ping-id', userId, jobId]));

/** The key of a monitor, in one of its versions. */
export function pingKeyOf(job: Monitored, version: number, secret: Buffer): string {
  const mac = macOf(secret, ['ping-key', job.userId, job.jobId, job.createdAtMs, version]);
  const body = `qjp_${pingIdOf(job, secret)}${mac.subarray(0, MAC_BYTES).toString('base64url')}`;
  return body + checksumOf(body);
}

/** The id in a key; undefined for a text that is none. Nothing is read to know that. */
export function pingIdIn(text: string): string | undefined {
  const [, body, pingId, checksum] = KEY.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum ? pingId : undefined;
}

/** Whether two texts are equal. It takes as long wherever they differ. */
export function isSameKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const macOf = (secret: Buffer, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
