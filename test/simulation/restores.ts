import { jobRefOf } from '../../lambdas/core/contracts/tables';
import { isTerminal } from '../../lambdas/core/domain/transitions';
import type { ExecutionRef } from '../../lambdas/core/store/execution-store';
import { staysIn, tablesOf } from '../../scripts/restore/plan';
import { TABLES } from '../support/dynamo/memory-backend';
import { callerOf } from '../support/caller';
import { routeOf } from '../support/route-of';
import type { EventLog, LogConditions } from './log';
import { type OperatedWorld, repeatUntilConfirmed } from './operators';
import type { RecordedTables } from './recorded-tables';

/** Times since the beginning of the run. */
export interface Restore {
  tables: NonNullable<LogConditions['restored']>;
  /** To which time the tables are put back. */
  toMs: number;
  /** When maintenance mode begins for it. */
  stopMs: number;
}

const MINUTE_MS = 60_000;
/** How long operators wait for attempts and messages: see docs/restore.md. */
const DRAINED_AFTER_MS = 6 * MINUTE_MS;
/** From the stop on. A little more than draining and both requests, with their repeats, take. */
export const RESTORED_WITHIN_MS = DRAINED_AFTER_MS + 3 * MINUTE_MS;

interface RestoredWorld extends OperatedWorld {
  log: EventLog;
  /** Logs what is left. */
  end(): void;
  /** Loses all messages. */
  purge(): void;
  tables: RecordedTables;
}

/**
 * Puts tables back as docs/restore.md says, in the order of `npm run restore`. Clients keep away meanwhile:
 * the plan has no action then.
 */
export async function restoreTables({ tables, toMs, stopMs }: Restore, world: RestoredWorld): Promise<void> {
  const { time } = world;
  const restoredToMs = time.nowMs() - time.monotonicMs() + toMs;
  await time.sleep(stopMs - time.monotonicMs());
  await repeatUntilConfirmed('stopDeployment', world, { state: 'stopped', tick: 'off' });
  await time.sleep(DRAINED_AFTER_MS);
  world.end();
  const names = tablesOf(tables === 'all' ? undefined : tables);
  if (names.includes('schedule')) world.purge();
  for (const name of names) world.tables.restore(TABLES[name], restoredToMs, staysIn(name, names));
  world.log.add({ src: 'operator', type: 'restored', toMs: restoredToMs });
  const open = world.tables.left.executions.filter(({ status }) => !isTerminal(status));
  await repeatUntilConfirmed('startDeployment', world, { state: 'running', tick: 'on' });
  if (tables === 'executions') await cancelAll(open, world);
}

/** What is open in a restored table of executions may have no entry: its entries may be settled. */
async function cancelAll(open: readonly ExecutionRef[], world: RestoredWorld): Promise<void> {
  for (const { jobKey, execId } of open) {
    const { userId, jobId } = jobRefOf(jobKey);
    await world.api({
      route: routeOf('cancelExecution'),
      requestId: `cancel-${execId}`,
      ...callerOf(userId, 'jobs:write', 'runs:operate'),
      params: { jobId, execId },
      query: new Map(),
      headers: {},
    });
  }
}
