/** What each kind of work costs, counted through the real stages: `npm run bench:cost -- [--json]`. */
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import {
  provisionedBillOf,
  billOf,
  CONSUMED_QUEUES,
  CPU_MS_A_CALL,
  IDLE_RECEIVES_AN_HOUR,
  idleMonth,
  costLineOf,
} from './bill';
import { type ScenarioName, SCENARIOS } from './scenarios';
import { OTHERS, PRICES } from '../../cli/cost/prices';
import type { Totals } from './usage';

const MILLION = 1_000_000;

const dollars = (amount: number): string => amount.toFixed(2);

run('bench:cost', async () => {
  const counted = new Map<ScenarioName, Totals>();
  for (const [name, count] of Object.entries(SCENARIOS)) {
    if (!wantsJson()) note(`counting ${name} …`);
    counted.set(name as ScenarioName, await count());
  }
  const lines = Object.fromEntries([...counted].map(([name, totals]) => [name, costLineOf(totals)]));
  if (wantsJson()) {
    printJson({ scenarios: lines });
    return;
  }
  say('\nWhat one of each costs (items below 1 KB, batches of ten)\n');
  say(
    table(
      ['scenario', 'writes', 'reads', 'SQS requests', 'SDK calls', 'invocations', 'billed ms'],
      Object.entries(lines).map(([name, line]) => [name, ...Object.values<number>({ ...line })]),
    ),
  );
  say(
    `\nBilled ms: waits and assumed answer times on virtual time, and ${CPU_MS_A_CALL} ms of a processor a call.`,
  );
  sayBills(counted);
});

function sayBills(counted: ReadonlyMap<ScenarioName, Totals>): void {
  const fires = [...counted.keys()].filter((name) => !name.startsWith('idleHour'));
  const bills = fires.map((name) => ({ name, bill: billOf(counted.get(name)!, MILLION) }));
  say(
    `\nDollars a million (${PRICES.region}, list prices of ${PRICES.asOf}, no free tier; logs and targets left out)\n`,
  );
  say(
    table(
      ['scenario', 'DynamoDB', 'SQS', 'Lambda', 'API Gateway', 'total'],
      bills.map(({ name, bill }) => [name, ...Object.values<number>({ ...bill }).map(dollars)]),
    ),
  );

  say('\nThe same with provisioned tables, under a steady load\n');
  say(
    table(
      ['scenario', 'DynamoDB', 'SQS', 'Lambda', 'API Gateway', 'total'],
      fires.map((name) => {
        const bill = provisionedBillOf(counted.get(name)!, MILLION);
        return [name, ...Object.values<number>({ ...bill }).map(dollars)];
      }),
    ),
  );
  sayOthers(counted);
}

function sayOthers(counted: ReadonlyMap<ScenarioName, Totals>): void {
  const task = billOf(counted.get('workflowTask')!, MILLION).total;
  const { stepFunctionsTransitions } = PRICES.perMillion;
  say(
    `\nA million tasks of workflows: ${dollars(task)}; a million transitions of Step Functions (Standard): ` +
      `${dollars(stepFunctionsTransitions)}. The targets' own work is in neither.`,
  );

  say('\nA million one-time fires elsewhere\n');
  say(
    table(
      ['service', '$ a million', 'what it is'],
      OTHERS.map(({ name, perMillion, note: about }) => [name, perMillion.map(dollars).join('–'), about]),
    ),
  );

  say('\nA month without a job\n');
  say(
    table(
      ['scenario', 'DynamoDB', 'SQS', 'Lambda', 'caused', 'empty receives', 'listed', 'billed'],
      (['idleHour4', 'idleHour16', 'idleHour64'] as const).map((name) => {
        const month = idleMonth(counted.get(name)!);
        const { dynamodb, sqs, lambda, total, emptyReceives, listed, billed } = month;
        return [name, ...[dynamodb, sqs, lambda, total, emptyReceives, listed, billed].map(dollars)];
      }),
    ),
  );
  say(
    `\nEmpty receives: Lambda keeps five long polls open on each of ${CONSUMED_QUEUES} queues, ${IDLE_RECEIVES_AN_HOUR} requests an hour, job or no job.` +
      '\nBilled: to an account that has nothing else, after the lasting free tiers of SQS and Lambda.',
  );
}
