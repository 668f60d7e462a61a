import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Pool {
  memoryMb: number;
  maxConcurrency: Record<string, number>;
}

/** The pools of a stage as its file in `config/` has them. `default` is always whole. */
export type Pools = Readonly<Record<string, Pool>>;

export function poolsOf(stage: string): Pools {
  const file = join(__dirname, '../../../config', `${stage}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { pools: Pools }).pools;
}
