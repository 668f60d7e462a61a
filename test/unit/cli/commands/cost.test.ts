import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  fixedAMonth,
  type FixedLoad,
  IDLE_A_MONTH,
  keptAMonth,
  monthsOf,
  perMillionPings,
  perMillionRuns,
  perMillionRunsSent,
  queuesOf,
  WAITING_WORKER_A_MONTH,
} from '../../../../cli/cost/month';
import { OTHERS, PRICES, RECURRING } from '../../../../cli/cost/prices';
import { queuedLanes } from '../../../../lambdas/core/contracts/pools';
import { Session } from '../terminal-session';

const page = readFileSync(join(__dirname, '../../../../docs/cost.md'), 'utf8');
const LOAD = { jobs: 1_000, everyMs: 300_000, targetMs: 200, keepDays: 30, payloadBytes: 0, monitors: 0 };
const IDLE: FixedLoad = { pools: 1, laneQueues: 'own', workers: 0, pollers: 0, tokens: 0 };
let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

test('the command and docs/cost.md have the same figures', () => {
  expect(perMillionRuns(50, true).toFixed(2)).toBe('2.56');
  expect(page).toContain(
    '| **Sum**   |                                                                             | **2.56** |',
  );
  expect(page).toContain(`**≈ ${IDLE_A_MONTH}**`);
  const rows = monthsOf(LOAD, IDLE).map(({ name, runsFrom, runsTo, kept, fixed, note }) => {
    const runs = runsFrom === runsTo ? runsFrom.toFixed(2) : `${runsFrom.toFixed(2)}–${runsTo.toFixed(2)}`;
    return [name, runs, kept.toFixed(2), fixed.toFixed(2), note];
  });
  const inPage = page
    .slice(page.indexOf('| Dollars a month'))
    .split('\n')
    .slice(2, 2 + rows.length)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(inPage).toEqual(rows);
});

test('a second more of each call costs what docs/cost.md says, shared and alone', () => {
  const more = (isShared: boolean) => perMillionRuns(1_050, isShared) - perMillionRuns(50, isShared);
  expect(page).toContain(`costs $${more(true).toFixed(2)} per million if ten calls use one executor`);
  expect(page).toContain(`and $${more(false).toFixed(2)} if each has its own`);
});

/** The numbers of a row's cells; NaN where a cell is not a number alone. */
const numbersOf = (row: string): number[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => Number(/^[*≈ ]*(\d+\.\d+)\**$/.exec(cell.trim())?.[1]));
const tables = page.split('\n\n').filter((part) => part.startsWith('| '));

test('every sum of docs/cost.md is that of the rows above it', () => {
  const summed = tables.filter((table) => table.includes('| **Sum**   ') || table.includes('| **Sum**,'));
  expect(summed.length).toBeGreaterThanOrEqual(3);
  for (const table of summed) {
    const rows = table.split('\n').slice(2);
    const sum = numbersOf(rows.at(-1)!).at(-1)!;
    const parts = rows.slice(0, -1).map((row) => numbersOf(row).at(-1)!);
    expect(parts.reduce((total, one) => total + one, 0)).toBeCloseTo(sum, 2);
  }
});

test('every sum at the end of a row is that of its cells', () => {
  const rows = tables
    .filter((table) => table.split('\n')[0]!.includes('| DynamoDB |'))
    .flatMap((table) => table.split('\n').slice(2))
    .map((row) => numbersOf(row).filter((one) => !Number.isNaN(one)))
    .filter((numbers) => numbers.length > 1);
  expect(rows.length).toBeGreaterThanOrEqual(3);
  for (const numbers of rows)
    expect(numbers.slice(0, -1).reduce((total, one) => total + one, 0)).toBeCloseTo(numbers.at(-1)!, 2);
});

test('what is kept and sent costs what docs/cost.md says', async () => {
  const many = { jobs: 1, everyMs: 1, targetMs: 50, keepDays: 90, payloadBytes: 0, monitors: 0 };
  const each = { ...many, everyMs: (730 * 3_600_000) / 100_000_000 }; // 100 million a month
  expect(page).toContain(`of 100 million runs a month for 90 days: $${keptAMonth(each).toFixed(0)}`);
  expect(page).toContain(`**$${perMillionRunsSent(many).toFixed(2)}** a million runs without payloads`);
  const kept = async (flags: string) => {
    const months = (await session.json(`cost --jobs 1000 --every 5m ${flags}`)).dollarsAMonth as {
      runsFrom: number;
      kept: number;
    }[];
    return months[0]!;
  };
  const [usual, longer, larger] = [await kept(''), await kept('--keep 90'), await kept('--payload 4096')];
  expect(longer.kept / usual.kept).toBeCloseTo(3, 5);
  expect(larger.runsFrom - usual.runsFrom).toBeCloseTo(8.76 * 4.096 * 0.09, 3);
});

test('workers that wait, pollers and tokens cost what docs/cost.md says', async () => {
  const more = (one: Partial<typeof IDLE>) => fixedAMonth({ ...IDLE, ...one }) - IDLE_A_MONTH;
  const inPage = (start: string) => {
    const row = page.split('\n').find((line) => line.startsWith(`| ${start}`))!;
    return Number(/[$*]*(\d+\.\d+)[* ]*\|$/.exec(row)![1]);
  };
  expect(inPage('waits all the time')).toBe(WAITING_WORKER_A_MONTH);
  expect(inPage('a poller of')).toBeCloseTo(more({ pollers: 1 }), 2);
  expect(inPage('two of them')).toBeCloseTo(more({ pollers: 2 }), 2);
  expect(inPage('16 of them')).toBeCloseTo(more({ pollers: 16 }), 2);
  expect(inPage('a program that keeps')).toBeCloseTo(more({ tokens: 730 }), 2);
  expect(inPage('a program that asks')).toBeCloseTo(more({ tokens: 730 * 60 }), 2);
  const { dollarsAMonth } = await session.json(
    'cost --jobs 1000 --every 5m --workers 3 --pollers 2 --tokens 720',
  );
  const [{ fixed }] = dollarsAMonth as [{ fixed: number }];
  expect(fixed).toBeCloseTo(4.48 + 3 * 9.81 + 2 * 730 * 0.00925 + 720 * 0.00225, 5);
});

test('pings of monitors cost what docs/cost.md says, in runs and in what is kept', async () => {
  const inTime = page.split('\n').find((line) => line.startsWith('| with a ping in time'))!;
  expect(numbersOf(inTime).at(-1)).toBeCloseTo(perMillionPings(), 2);
  const monthOf = async (flags: string) => {
    const { dollarsAMonth } = await session.json(`cost --every 5m ${flags}`);
    return (dollarsAMonth as { runsFrom: number; runsTo: number; kept: number }[])[0]!;
  };
  const pinged = await monthOf('--jobs 0 --monitors 1000');
  expect(pinged.runsFrom).toBeCloseTo(8.76 * perMillionPings(), 5);
  expect(pinged.runsTo).toBe(pinged.runsFrom);
  expect(pinged.kept).toBe((await monthOf('--jobs 1000')).kept);
});

test('queues are those of the configuration, and cost what the docs say', async () => {
  for (const laneQueues of ['own', 'shared'] as const)
    expect(queuesOf({ pools: 1, laneQueues })).toBe(queuedLanes(laneQueues).length + 2); // scans, sweeps
  const more = (one: Partial<FixedLoad>) => fixedAMonth({ ...IDLE, ...one }) - IDLE_A_MONTH;
  const small = readFileSync(join(__dirname, '../../../../docs/configuration.md'), 'utf8');
  const [, saved] = /laneQueues: "shared"` \| +15 \| +\$(\d\.\d\d)/.exec(small)!;
  expect(more({ laneQueues: 'shared' })).toBeCloseTo(-Number(saved), 2);
  const [, queues, alarms] = /Lambda polls, for \$(\d\.\d\d) a month\.[^$]+for \$(\d\.\d\d),/.exec(page)!;
  expect(more({ pools: 3 })).toBeCloseTo(2 * (Number(queues) + Number(alarms)), 2);
  const said = async (flags: string) => (await session.run(`cost --jobs 1 --every 1h ${flags}`)).stdout;
  expect(await said('')).toContain('FIXED has 4 shards, 1 pool, and 9 queues that Lambda polls.');
  expect(await said('--pools 3')).toContain('3 pools, and 23 queues');
  expect(await said('--lane-queues shared')).toContain('1 pool, and 4 queues');
});

test('the requests of an idle month cost what docs/cost.md says', () => {
  const { writeUnits, readUnits, sqsRequests } = PRICES.perMillion;
  const [, reads, writes] = /= (\d\.\d) M reads, (\d\.\d+) M writes \| +0\.23/.exec(page)!;
  expect(Number(reads) * readUnits + Number(writes) * writeUnits).toBeCloseTo(0.23, 1);
  const [, requests] = /= (\d\.\d) M requests +\| +2\.61/.exec(page)!;
  expect(Number(requests) * sqsRequests).toBeCloseTo(2.61, 1);
});

test('every price of others has a source, and a date', () => {
  for (const { source } of OTHERS) expect(source).toMatch(/^https:|^the sum of/);
  for (const { source, asOf } of RECURRING) {
    expect(source).toMatch(/^https:/);
    expect(asOf).toMatch(/^2026-\d\d-\d\d$/);
  }
  expect(page).toContain('cli/cost/prices.ts');
});

test('shows the months without an API', async () => {
  const { exitCode, stdout } = await session.run('cost --jobs 1000 --every 5m --target-ms 200');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('8,760,000 runs a month');
  expect(stdout).toMatch(/^Quarterjack +\d+\.\d\d–\d+\.\d\d +\d+\.\d\d +4\.48 /m);
  expect(stdout).toMatch(/^QStash +87\.60 /m);
  expect(stdout).toContain(PRICES.asOf);
  expect(session.requests).toEqual([]);
  const { runsAMonth } = await session.json('cost --jobs 10 --every 1h');
  expect(runsAMonth).toBe(7_300);
});

test.each([
  ['--jobs x --every 5m', '--jobs is "x"; expected a whole number'],
  ['--jobs 1 --every 5', '--every is "5"; expected a duration'],
  ['--jobs 1 --every 1m --target-ms 900000', '--target-ms is 900000; expected at most 840000'],
  ['--jobs 1 --every 1m --keep 1', '--keep is 1; expected 2 to 3650 days'],
  ['--jobs 1 --every 1m --monitors x', '--monitors is "x"; expected a whole number'],
  ['--jobs 1 --every 1m --pollers many', '--pollers is "many"; expected a whole number'],
  ['--jobs 1 --every 1m --pools 0', '--pools is 0; expected 1 to 5'],
  ['--jobs 1 --every 1m --pools 6', '--pools is 6; expected 1 to 5'],
  ['--jobs 1 --every 1m --payload 70000', '--payload is 70000; expected at most 65536 bytes'],
])('cost %s is refused', async (flags, message) => {
  const { exitCode, stderr } = await session.run(`cost ${flags}`);
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});
