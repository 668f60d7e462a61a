import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PRIORITIES } from '../../../lambdas/core/contracts/pools';
import { executorsOf, laneLimitsOf, Pools } from '../../../lib/config/pools';

const ROOT = join(__dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/noisy-projects.md'), 'utf8');
const config = JSON.parse(readFileSync(join(ROOT, 'config/prod.json'), 'utf8')) as {
  shardCount: number;
  pools: object;
};
const pool = Pools.parse(config.pools).default;
const ofShard = Math.ceil(pool.userSharePerSec / config.shardCount);
const medium = executorsOf(pool, 'medium');
const laneLimit = laneLimitsOf(pool)[PRIORITIES.indexOf('medium')];

test.each([
  `${config.shardCount} shards, \`userSharePerSec\` ${pool.userSharePerSec}, and ${medium} executors`,
  `lets ${ofShard} of each shard through, ${ofShard * config.shardCount} in all`,
  `The other ${(20_000 - ofShard * config.shardCount).toLocaleString('en')} run there on ${executorsOf(pool, 'overflow')} executors`,
  `hold ${laneLimit} of the ${medium} executors`,
])('the examples have the values of config/prod.json: %s', (text) => {
  expect(page.replaceAll(/\s+/g, ' ')).toContain(text);
});
