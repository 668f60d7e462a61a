/** What each kind of work costs, counted through the real stages: `npm run bench:cost -- [--json]`. */
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { billOf, CPU_MS_A_CALL, lineOf } from './bill';
import { type CaseName, CASES } from './cases';
import { OTHERS, PRICES } from './prices';
import { LANES } from '../../lambdas/core/contracts/pools';
import type { Totals } from './tally';

const HOURS_A_MONTH = 730;
const MILLION = 1_000_000;
/** Lambda polls each of its queues with five connections, each waiting up to 20 s: what it gets while idle is billed. */
const IDLE_RECEIVES_AN_HOUR = 5 * (3_600 / 20);
const CONSUMED_QUEUES = LANES.length + 2;

const dollars = (amount: number): string => amount.toFixed(2);

run('bench:cost', async () => {
  const counted = new Map<CaseName, Totals>();
  for (const [name, count] of Object.entries(CASES)) {
    if (!wantsJson()) note(`counting ${name} …`);
    counted.set(name as CaseName, await count());
  }
  const lines = Object.fromEntries([...counted].map(([name, totals]) => [name, lineOf(totals)]));
  if (wantsJson()) {
    printJson({ cases: lines });
    return;
  }
  say('\nWhat one of each costs (items below 1 KB, batches of ten)\n');
  say(
    table(
      ['case', 'writes', 'reads', 'SQS requests', 'SDK calls', 'invocations', 'billed ms'],
      Object.entries(lines).map(([name, line]) => [name, ...Object.values<number>({ ...line })]),
    ),
  );
  say(
    `\nBilled ms: waits and assumed answer times on virtual time, and ${CPU_MS_A_CALL} ms of a processor a call.`,
  );
  sayBills(counted);
});

function sayBills(counted: ReadonlyMap<CaseName, Totals>): void {
  const fires: CaseName[] = ['oneTime', 'recurringFire', 'subMinuteFire', 'retry', 'skipped', 'heartbeat'];
  const bills = fires.map((name) => ({ name, bill: billOf(counted.get(name)!, MILLION) }));
  say(
    `\nDollars a million (${PRICES.region}, list prices of ${PRICES.asOf}, no free tier; logs and targets left out)\n`,
  );
  say(
    table(
      ['case', 'DynamoDB', 'SQS', 'Lambda', 'API Gateway', 'total'],
      bills.map(({ name, bill }) => [name, ...Object.values<number>({ ...bill }).map(dollars)]),
    ),
  );

  say('\nA million one-time fires elsewhere\n');
  say(
    table(
      ['service', '$ a million', 'what it is'],
      OTHERS.map(({ name, perMillion, note: about }) => [name, perMillion.map(dollars).join('–'), about]),
    ),
  );

  say('\nA month without a job\n');
  const polls = CONSUMED_QUEUES * IDLE_RECEIVES_AN_HOUR;
  say(
    table(
      ['case', 'DynamoDB', 'SQS', 'Lambda', 'total', 'empty receives besides'],
      (['idleHour16', 'idleHour64'] as const).map((name) => {
        const { dynamodb, sqs, lambda, total } = billOf(counted.get(name)!, HOURS_A_MONTH);
        const receives = (polls * HOURS_A_MONTH * PRICES.perMillion.sqsRequests) / MILLION;
        return [name, ...[dynamodb, sqs, lambda, total, receives].map(dollars)];
      }),
    ),
  );
  say(
    `\nEmpty receives: Lambda keeps five long polls open on each of ${CONSUMED_QUEUES} queues, ${polls} requests an hour, job or no job.`,
  );
}
