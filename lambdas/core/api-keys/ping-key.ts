import { createHmac, timingSafeEqual } from 'node:crypto';

import type { JobRef } from '../contracts/tables';
import { checksumOf, keyIdFrom } from './key-format';

/*
 * `qjp_<pingId><mac><checksum>`: a client that has it may ping one monitor, and nothing else. One that begins
 * with `qjb_` shows the monitor's badge. They are derived from the deployment's secret, and never stored. So
 * they can be shown again, and no table has one to steal.
 */

const KEY = /^((qj[pb])_([0-9a-z]{16})[\w-]{22})([0-9A-Za-z]{6})$/;
const MAC_BYTES = 16;

/** What keys begin with, and what their MACs are for. */
const KINDS = { qjp: 'ping-key', qjb: 'badge-key' } as const;
type Prefix = keyof typeof KINDS;

/** A monitor, and what tells it from an earlier one with its id. */
export interface Monitored extends JobRef {
  createdAtMs: number;
}

/** The id in a monitor's keys. It always follows from the job, and tells nothing of it. */
export const pingIdOf = ({ userId, jobId }: JobRef, secret: Buffer): string =>
  keyIdFrom(macOf(secret, ['ping-id', userId, jobId]));

/** The key of a monitor, in one of its versions. */
export const pingKeyOf = (job: Monitored, version: number, secret: Buffer): string =>
  keyOf('qjp', job, version, secret);

/** The key of a monitor's badge. It has the version of the key for pings. */
export const badgeKeyOf = (job: Monitored, version: number, secret: Buffer): string =>
  keyOf('qjb', job, version, secret);

function keyOf(prefix: Prefix, job: Monitored, version: number, secret: Buffer): string {
  const mac = macOf(secret, [KINDS[prefix], job.userId, job.jobId, job.createdAtMs, version]);
  const body = `${prefix}_${pingIdOf(job, secret)}${mac.subarray(0, MAC_BYTES).toString('base64url')}`;
  return body + checksumOf(body);
}

/** The id in a key of this kind; undefined for a text that is none. Nothing is read to know that. */
export function pingIdIn(text: string, wanted: Prefix): string | undefined {
  const [, body, prefix, pingId, checksum] = KEY.exec(text) ?? [];
  return body !== undefined && prefix === wanted && checksumOf(body) === checksum ? pingId : undefined;
}

/** Whether two texts are equal. It takes as long wherever they differ. */
export function isSameKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const macOf = (secret: Buffer, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
