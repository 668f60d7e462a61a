import { planOf } from './run-plan';
import { simulate } from './simulate';
async function main() {
  const first = Number(process.argv[2] ?? 1), n = Number(process.argv[3] ?? 3);
  for (let s = first; s < first + n; s++) {
    const t = Date.now();
    const r = await simulate(planOf(s, 'safety'));
    const e = r.log.records.at(-1) as any;
    const by: Record<string, number> = {};
    for (const x of r.log.records) by[`${x.src}/${x.type}`] = (by[`${x.src}/${x.type}`] ?? 0) + 1;
    console.log(s, Date.now() - t, 'ms', r.hash.slice(0, 12), r.strikes, e.executions.length, JSON.stringify(by));
  }
}
void main();
