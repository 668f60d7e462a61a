import { type Finding, onAws, type Step } from '../check';
import { arrivedAll, latenessOf, problemsOf } from '../delivery/arrivals';
import { burst, spread } from '../delivery/loads';
import { deploy } from '../site/deploy';
import { type Pools, poolsOf } from '../site/pools';
import type { AwsSite } from '../site/site';

const BURST = 1_000;

export const memory: Step = {
  name: 'memory',
  title: 'Memory: how late jobs are with executors of other sizes',
  checks: [
    onAws(
      'memory/lateness',
      'Executors of each size lose nothing, and their lateness is on record',
      sizes,
      'memory',
    ),
  ],
};

interface OfSize {
  memoryMb: number;
  lateMs: ReturnType<typeof latenessOf>;
  burstLateMs: ReturnType<typeof latenessOf>;
  problems: number;
}

/** Deploys one size after the other, and in any case that of the stage at the end. */
async function sizes(site: AwsSite): Promise<Finding> {
  const pools = poolsOf(site.stage);
  const figures: OfSize[] = [];
  try {
    for (const memoryMb of site.memorySizes) {
      await deploy(site, '-c', `pools=${JSON.stringify(withMemory(pools, memoryMb))}`);
      figures.push(await measured(site, memoryMb));
    }
  } finally {
    await deploy(site);
  }
  const texts = figures.map(
    ({ memoryMb, lateMs, burstLateMs }) =>
      `${memoryMb} MB: p50 ${lateMs.p50} ms, p99 ${lateMs.p99} ms, ${BURST} at once p99 ${burstLateMs.p99} ms`,
  );
  const problems = figures.reduce((sum, one) => sum + one.problems, 0);
  const holds = problems === 0;
  return { holds, detail: (holds ? '' : `${problems} lost or early; `) + texts.join('; '), figures };
}

const withMemory = (pools: Pools, memoryMb: number): Pools => ({
  ...pools,
  default: { ...pools.default!, memoryMb },
});

async function measured(site: AwsSite, memoryMb: number): Promise<OfSize> {
  const steady = await spread(site, `memory${memoryMb}`);
  const steadyArrived = await arrivedAll(site, steady);
  const sudden = await burst(site, BURST, `memory${memoryMb}`);
  const suddenArrived = await arrivedAll(site, sudden);
  const all = [problemsOf(steady, steadyArrived), problemsOf(sudden, suddenArrived)];
  return {
    memoryMb,
    lateMs: latenessOf(steadyArrived),
    burstLateMs: latenessOf(suddenArrived),
    problems: all.reduce((sum, { lost, early }) => sum + lost.length + early.length, 0),
  };
}
