import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Decision } from '../../../local/iam/access';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { Needs } from '../../support/iam/needs';
import { Host } from '../../support/local/host';
import { RARE_GRANTS } from '../../support/rare-grants';
import { assemblyWith, ofType } from './assemblies';
import { type Receiver, startReceiver } from './receiver';
import { Traffic } from './traffic';
import { Watch } from './watch';

/** Lambda itself writes logs, so a run on one machine does not need these actions. */
const EXEMPT = ['logs:CreateLogStream', 'logs:PutLogEvents'];
/** After the traffic has ended: time for a recheck, on a slow machine. */
const NOTICED_WITHIN_MS = 120_000;
/** Policies do not depend on addresses. */
const PLACE = {
  region: 'us-east-1',
  accountId: '000000000000',
  apiUrl: 'http://127.0.0.1:1',
  awsUrl: 'http://127.0.0.1:2',
};

/**
 * Prefixes of all grants: the stages, the roles of schedules and of the console, and the permission to invoke
 * functions for routes.
 */
const HOLDERS = [
  ...[
    'authorizer',
    'api',
    'tick',
    'scanner',
    'executor',
    'sweeper',
    'auditor',
    'canary',
    'worker',
    'ping',
    'follower',
    'exporter',
  ],
  ...['ClockScanRole', 'ClockSweepRole', 'ClockAuditRole', 'ClockCanaryRole', 'HttpInvoke', 'ConsoleRole'],
];

/** On virtual time, all execution queues are one. */
const withoutQueue = (grant: string): string =>
  grant.replace(/ (?:Executions\w+Queue\w{8}|arn:\S+-default-\*)$/, ' queues');

const isTestedSeparately = (grant: string): boolean =>
  RARE_GRANTS.includes(withoutQueue(grant)) || EXEMPT.includes(grant.split(' ')[1] ?? '');

let directory: string;
let receiver: Receiver;
let grants: readonly string[];
let unneeded: readonly string[];
const refused: Decision[] = [];

/** Sends traffic to a run, records its unused grants and denied requests, and kills it. */
async function drive(host: Host, needs: Needs, by: (traffic: Traffic, watch: Watch) => Promise<unknown>) {
  const watch = new Watch(needs, host);
  const traffic = new Traffic(host, receiver, watch);
  try {
    await by(traffic, watch);
    unneeded = await watch.unneeded();
    refused.push(...(await host.decisions()).filter(({ result }) => result !== 'allowed'));
  } catch (cause) {
    throw new Error(`the traffic made no progress; the run says: ${host.errors.slice(-2_000)}`, { cause });
  } finally {
    traffic.close();
    await host.kill();
  }
}

/** Two runs on the same data: the first has its schedules disabled, the second is as deployed. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-identity-'));
  receiver = await startReceiver();
  const whole = await assemblyWith(directory, 'whole', (resources) => {
    // A run lasts a few minutes, and the canary's cron fires every five.
    for (const { Properties } of ofType(resources, 'AWS::Scheduler::Schedule'))
      if (String(Properties.ScheduleExpression).startsWith('cron(0/5 ')) {
        Properties.ScheduleExpression = 'cron(* * * * ? *)';
      }
  });
  const silent = await assemblyWith(directory, 'silent', (resources) => {
    for (const schedule of ofType(resources, 'AWS::Scheduler::Schedule'))
      schedule.Properties.State = 'DISABLED';
    // The first tick then has shards to add.
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function'))
      if (Properties.Environment.Variables.SHARD_COUNT) Properties.Environment.Variables.SHARD_COUNT = '2';
  });
  const needs = new Needs(readStack(readAssembly(whole), PLACE).policies, isTestedSeparately);
  ({ grants } = needs);

  const dataDir = join(directory, 'data');
  const early = await Host.start({ port: 0, dataDir, assembly: silent });
  await drive(early, needs, (traffic) => traffic.beforeTheFirstTick());

  const host = await Host.start({ port: 0, dataDir, assembly: whole, otlp: receiver.url });
  await drive(host, needs, async (traffic, watch) => {
    await traffic.run();
    await watch.areNeeded('', NOTICED_WITHIN_MS);
  });
}, 900_000);

afterAll(() => {
  receiver.close();
  rmSync(directory, { recursive: true });
});

test.each(HOLDERS)('%s needs each action on each resource that it is allowed', (holder) => {
  expect(grants.filter((grant) => grant.startsWith(holder))).not.toEqual([]);
  expect(unneeded.filter((grant) => grant.startsWith(holder))).toEqual([]);
});

test('no other role is allowed anything', () => {
  expect(grants.filter((grant) => !HOLDERS.some((holder) => grant.startsWith(holder)))).toEqual([]);
});

test('no request was denied', () => {
  expect(refused).toEqual([]);
});

test('the grants that other tests cover, or none, are in the template', () => {
  const known = new Set(grants.map(withoutQueue));
  expect(RARE_GRANTS.filter((grant) => !known.has(grant))).toEqual([]);
  expect(EXEMPT.filter((action) => !grants.some((grant) => grant.split(' ')[1] === action))).toEqual([]);
});
