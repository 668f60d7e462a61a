import { createHmac, timingSafeEqual } from 'node:crypto';

import type { JobRef } from '../contracts/tables';
import { checksumOf, keyIdFrom } from './key-format';

/*
 * `qjp_<pingId><mac><checksum>`: a client that has it may ping one monitor, and nothing else. One that begins
 * with `qjs_` may ping all monitors of a project, and one with `qjb_` shows the badge of a monitor. They are
 * derived from the deployment's secret, and never stored. So they can be shown again, and no table has one to
 * steal.
 */

/** The ids of jobs that can be the slug of a ping URL: what shells and crontabs need not quote. */
export const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const KEY = /^((qj[psb])_([0-9a-z]{16})[\w-]{22})([0-9A-Za-z]{6})$/;
const MAC_BYTES = 16;

/** What keys begin with, and what their MACs are for. */
const KINDS = { qjp: 'ping-key', qjs: 'project-key', qjb: 'badge-key' } as const;
type Prefix = keyof typeof KINDS;

/** A monitor, and what tells it from an earlier one with its id. */
export interface Monitored extends JobRef {
  createdAtMs: number;
}

/** Whose a key is, and since when. Without a job: the project's. */
type Owner = Pick<Monitored, 'userId' | 'createdAtMs'> & { jobId?: string };

/** The id in the keys of a monitor, or of a project. It always follows from them, and tells nothing. */
export const pingIdOf = ({ userId, jobId }: Pick<Owner, 'userId' | 'jobId'>, secret: Buffer): string =>
  keyIdFrom(macOf(secret, ['ping-id', ...partsOf(userId, jobId)]));

/** The key of a monitor, in one of its versions. */
export const pingKeyOf = (job: Monitored, version: number, secret: Buffer): string =>
  keyOf('qjp', job, version, secret);

/** The key of a monitor's badge. It has the version of the key for pings. */
export const badgeKeyOf = (job: Monitored, version: number, secret: Buffer): string =>
  keyOf('qjb', job, version, secret);

/** The key of a project for pings, in one of its versions. */
export const projectKeyOf = (
  { userId, createdAtMs }: Pick<Monitored, 'userId' | 'createdAtMs'>,
  version: number,
  secret: Buffer,
): string => keyOf('qjs', { userId, createdAtMs }, version, secret);

function keyOf(prefix: Prefix, owner: Owner, version: number, secret: Buffer): string {
  const { userId, jobId, createdAtMs } = owner;
  const mac = macOf(secret, [KINDS[prefix], ...partsOf(userId, jobId), createdAtMs, version]);
  const body = `${prefix}_${pingIdOf(owner, secret)}${mac.subarray(0, MAC_BYTES).toString('base64url')}`;
  return body + checksumOf(body);
}

const partsOf = (userId: string, jobId: string | undefined): string[] =>
  jobId === undefined ? [userId] : [userId, jobId];

/** The id in a key of this kind; undefined for a text that is none. Nothing is read to know that. */
export function pingIdIn(text: string, wanted: Prefix): string | undefined {
  const [, body, prefix, pingId, checksum] = KEY.exec(text) ?? [];
  return body !== undefined && prefix === wanted && checksumOf(body) === checksum ? pingId : undefined;
}

/** Whether a text is the key of a version that works now. All of them are compared. */
export function isKeyNow(
  text: string,
  { version, earlierUntilMs = 0 }: { version: number; earlierUntilMs?: number },
  nowMs: number,
  keyOfVersion: (version: number) => string,
): boolean {
  const versions = nowMs < earlierUntilMs ? [version, version - 1] : [version];
  return versions.map((one) => isSameKey(text, keyOfVersion(one))).includes(true);
}

/** Whether two texts are equal. It takes as long wherever they differ. */
function isSameKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const macOf = (secret: Buffer, parts: readonly (string | number)[]): Buffer =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
