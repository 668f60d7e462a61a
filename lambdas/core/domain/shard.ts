import { createHash } from 'node:crypto';

/** The shard of a job: a stable hash of its full id. The same on every machine, forever. */
export const shardOf = (jobKey: string, shardCount: number): number =>
  createHash('sha256').update(jobKey).digest().readUInt32BE(0) % shardCount;
