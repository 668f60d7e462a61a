import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetScheduleCommand } from '@aws-sdk/client-scheduler';

import { everywhere, noProblems, onAws, type Step } from '../check';
import type { Site } from '../site/site';
import { statusOf } from '../status';
import { until } from '../until';
import { functions, mappings, schedules, stackComplete } from './resources';

/** After a deployment, cursors of new shards are an hour back, and catch up within minutes. */
const CAUGHT_UP_MS = 5 * 60_000;
const LAG_LIMIT_SEC = 120;

export const asDesigned: Step = {
  name: 'as-designed',
  title: 'As designed: what was deployed is what the template says, and runs',
  isCondition: true,
  checks: [
    onAws('as-designed/stack', 'The stack is complete', stackComplete),
    onAws('as-designed/mappings', 'All event source mappings are enabled', mappings),
    onAws('as-designed/functions', 'All functions are active, on the runtime of the template', functions),
    onAws('as-designed/schedules', 'All schedules are enabled', schedules),
    everywhere('as-designed/health', 'The API says that it is healthy', health),
    everywhere('as-designed/tables', 'All three tables are active', tables),
    everywhere('as-designed/tick', 'The schedule of the tick is enabled', tick),
    everywhere('as-designed/running', 'The deployment is not in maintenance mode', running),
    everywhere('as-designed/shards', 'As many shards are in use as are configured, or more', shards),
    everywhere('as-designed/cursors', 'The cursors of all shards have caught up', cursors),
  ],
};

async function health({ url }: Site) {
  const response = await fetch(`${url}/v1/health`);
  const { status } = (await response.json()) as { status?: string };
  return { holds: status === 'pass', detail: `${response.status}, ${status}` };
}

async function tables({ clients: { dynamo }, env }: Site) {
  const names = [env.JOBS_TABLE, env.EXECUTIONS_TABLE, env.SCHEDULE_TABLE];
  const problems: string[] = [];
  for (const TableName of names) {
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }));
    if (Table?.TableStatus !== 'ACTIVE') problems.push(`${TableName} is ${Table?.TableStatus}`);
  }
  return noProblems(problems, names.join(', '));
}

async function tick({ clients: { scheduler }, env }: Site) {
  const Name = env.TICK_SCHEDULE;
  const { State } = await scheduler.send(new GetScheduleCommand({ Name }));
  return { holds: State === 'ENABLED', detail: `${Name} is ${State}` };
}

async function running(site: Site) {
  const { state } = await statusOf(site);
  return { holds: state === 'running', detail: state };
}

async function shards(site: Site) {
  const active = (await statusOf(site)).shards;
  const configured = Number(site.env.SHARD_COUNT);
  return { holds: active >= configured, detail: `${active} in use, ${configured} configured` };
}

async function cursors(site: Site) {
  const lagOf = ({ lagSec }: { lagSec: number | null }) => lagSec ?? Infinity;
  const status = await until(
    site,
    () => statusOf(site),
    ({ scan, sweep }) => Math.max(lagOf(scan), lagOf(sweep)) <= LAG_LIMIT_SEC,
    CAUGHT_UP_MS,
  );
  const worst = Math.max(lagOf(status.scan), lagOf(status.sweep));
  const detail = `scans lag ${status.scan.lagSec} s, sweeps ${status.sweep.lagSec} s`;
  return { holds: worst <= LAG_LIMIT_SEC, detail };
}
