import { STEP_CODES, VERDICTS } from '../../lambdas/core/domain/explain/facts';
import { TABLES } from '../support/dynamo/memory-backend';
import { MemoryTables } from '../support/dynamo/memory-tables';
import { IS_DEEP } from '../support/deep';
import { ExplainedRun, newOutcome } from './explain/play-explained';

const SEEDS = IS_DEEP ? 60 : 1;
/** How often each verdict and each code has to be met. */
const LEAST = IS_DEEP ? 50 : 0;
/** No job of these runs has a worker; `test/unit/api/explain/explain-worker.test.ts` plays this code. */
const WITHOUT_WORKERS = 'worker';
const TIMEOUT_MS = 1_800_000;

type Item = Record<string, unknown>;
const isDone = ({ status, startedAtMs, dueAtMs }: Item): boolean =>
  status === 'succeeded' && Number(startedAtMs) - Number(dueAtMs) < 10_000;
const isSkipped = ({ status, reason, fence }: Item): boolean =>
  status === 'skipped' && reason === 'paused' && fence === 0;

/** Writes or deletes a row without a record in the log. */
function write(tables: MemoryTables, row: Item, as: Item | undefined): void {
  const { jobId, execId } = row;
  const TableName = TABLES.executions;
  const [command, input] = as
    ? ['PutCommand', { TableName, Item: as }]
    : ['DeleteCommand', { TableName, Key: { jobId, execId } }];
  MemoryTables.prototype.apply.call(tables, command as string, input as never, () => false);
}

test(
  'explanations agree with the log, for every verdict and every code of a step',
  async () => {
    const outcome = newOutcome();
    for (let seed = 1; seed <= SEEDS; seed++) await new ExplainedRun(seed, outcome).play();
    expect(outcome.wrong.slice(0, 3)).toEqual([]);
    const rare = [
      ...VERDICTS.filter((verdict) => (outcome.verdicts.get(verdict) ?? 0) < LEAST),
      ...STEP_CODES.filter((code) => code !== WITHOUT_WORKERS && (outcome.codes.get(code) ?? 0) < LEAST),
      ...['slot', 'rate'].filter((wait) => (outcome.slotWaits.get(wait) ?? 0) < LEAST),
    ];
    expect(rare).toEqual([]);
  },
  TIMEOUT_MS,
);

/** Rows of executions that the log knows, and what someone makes of them behind the log's back. */
const FALSE_ROWS: readonly (readonly [string, (row: Item) => boolean, Item])[] = [
  ['a success becomes a skip', isDone, { status: 'skipped', reason: 'paused', attempts: [] }],
  ['a start becomes later', isDone, { attempts: [], startedAtMs: Date.UTC(2030, 0, 1) }],
  ['a skip becomes a success', isSkipped, { status: 'succeeded', reason: undefined }],
  ['a skip gets another reason', isSkipped, { reason: 'overlap' }],
];

test(
  'a changed row of the ledger is noticed, and so is a missing one',
  async () => {
    const run = new ExplainedRun(1, newOutcome());
    await run.playToEnd();
    const { world, outcome } = run;
    const story = run.story();
    const rows = world.tables.rows(TABLES.executions).filter((row) => !String(row.execId).includes('-'));
    const wrongAfter = async (row: Item, falsified: Item | undefined): Promise<number> => {
      write(world.tables, row, falsified);
      outcome.wrong.length = 0;
      await run.ask(story, String(row.jobId), [Number(row.dueAtMs)], run.nowMs);
      write(world.tables, row, row);
      return outcome.wrong.length;
    };
    for (const [what, fits, change] of FALSE_ROWS) {
      const row = rows.find(fits)!;
      expect([what, await wrongAfter(row, row)]).toEqual([what, 0]);
      expect([what, await wrongAfter(row, { ...row, ...change })]).toEqual([what, 1]);
    }
    expect(await wrongAfter(rows.find(isDone)!, undefined)).toBe(1);
  },
  TIMEOUT_MS,
);
