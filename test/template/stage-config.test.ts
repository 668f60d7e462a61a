import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';

import { loadStageConfig } from '../../lib/config/load-stage-config';
import { CONFIG_FIELDS } from '../../lib/config/stage-config';

const load = (context: Record<string, unknown>) => loadStageConfig(new App({ context }).node);
const { quotas: QUOTAS } = load({});
const pool = (changes: object) => ({
  default: {
    memoryMb: 256,
    timeoutSec: 900,
    maxConcurrency: { highest: 20, high: 10, medium: 10, low: 5, lowest: 2, overflow: 2, long: 2 },
    userSharePerSec: 50,
    ...changes,
  },
});

test('the default stage is dev: 4 shards, public targets, a user pool', () => {
  expect(load({})).toMatchObject({ stage: 'dev', shardCount: 4, targetPolicy: 'public' });
  expect(load({}).issuer).toBeUndefined();
});

test('the local stage has 4 shards, the issuer of the local run and loopback targets', () => {
  expect(load({ stage: 'local' })).toMatchObject({
    shardCount: 4,
    targetPolicy: 'loopback',
    issuer: 'https://issuer.quarterjack.local',
    audience: ['quarterjack'],
  });
});

test('strictTargets sets the target policy of a deployed stage in the local stage', () => {
  expect(load({ stage: 'local', strictTargets: 'true' }).targetPolicy).toBe('public');
  expect(load({ stage: 'local', strictTargets: 'false' }).targetPolicy).toBe('loopback');
});

test('a pool has the values of the pool default where it says nothing', () => {
  const { heavy } = load({ pools: { ...pool({ batchSize: 5 }), heavy: { memoryMb: 3_008 } } }).pools;
  const own = { memoryMb: 3_008, provisionedPollers: {}, userLanePercent: 25 };
  expect(heavy).toEqual({ ...pool({ batchSize: 5 }).default, ...own });
});

test('the lane for long calls has as many executors as the overflow, if nothing is said', () => {
  const { long: _, ...maxConcurrency } = { ...pool({}).default.maxConcurrency, overflow: 3 };
  expect(load({ pools: pool({ maxConcurrency }) }).pools.default.maxConcurrency.long).toBe(3);
});

test('a context value, also as a string, overrides the field of its name', () => {
  const config = load({ shardCount: '32', pools: JSON.stringify(pool({ memoryMb: 512 })) });
  expect(config.shardCount).toBe(32);
  expect(config.pools.default.memoryMb).toBe(512);
});

test('an entry may name the version or alias of a function, with "*" as in the name', () => {
  const entries = ['f', 'f:live', 'f:7', 'f:$LATEST', 'f:*', 'f*', '*:live'].map(
    (name) => `arn:aws:lambda:eu-central-1:111122223333:function:${name}`,
  );
  expect(load({ allowedTargetArns: entries }).allowedTargetArns).toEqual(entries);
});

test.each([
  [{ stage: 'production' }, 'context "stage" is "production"; expected one of dev, local, prod'],
  [{ stage: 'toString' }, 'context "stage" is "toString"; expected one of dev, local, prod'],
  [{ shardCount: '0' }, 'shardCount = "0": expected a whole number from 1 to 256'],
  [{ shardCount: 'many' }, 'shardCount = "many": expected a whole number from 1 to 256'],
  [{ shardCount: 2.5 }, 'shardCount = 2.5: expected a whole number from 1 to 256'],
  [{ horizonSec: 119 }, 'horizonSec = 119: expected a whole number from 120 to 720'],
  [{ horizonSec: '721' }, 'horizonSec = "721": expected a whole number from 120 to 720'],
  [{ billing: 'provisioned' }, 'capacity: required, because billing is "provisioned"'],
  [{ capacity: '{"jobs":1}' }, 'capacity.jobs = 1: must be an object, not a number'],
  [{ retentionDays: 1 }, 'retentionDays = 1: expected a whole number from 2 to 3650'],
  [
    { logRetentionDays: 8 },
    'logRetentionDays = 8: expected one of 1, 3, 5, 7, 14, 30, 60, 90, 180, 365, 731',
  ],
  [{ targetPolicy: 'loopback' }, 'targetPolicy = "loopback": expected "public" outside the local stage'],
  [{ quotas: { ...QUOTAS, jobs: 0 } }, 'quotas.jobs = 0: expected a whole number'],
  [{ quotas: { ...QUOTAS, payloadBytes: 1 } }, 'quotas.payloadBytes = 1: expected a whole number from 65536'],
  [{ pools: pool({ userSharePerSec: 0 }) }, 'pools.default.userSharePerSec = 0: expected a whole number'],
  [
    { pools: pool({ userLanePercent: 0 }) },
    'pools.default.userLanePercent = 0: expected a whole number from 1 to 100',
  ],
  [{ pools: pool({ batchSize: 11 }) }, 'pools.default.batchSize = 11: expected a whole number from 1 to 10'],
  [
    { pools: { ...pool({}), 'gpu-4': {} } },
    'pools.gpu-4 = {}: expected a name of at most 10 of a-z and 0-9, beginning with a letter',
  ],
  [{ pools: { ...pool({}), heavy: { timeoutSec: 30 } } }, 'pools.heavy.timeoutSec = 30: expected a whole'],
  [{ pools: { ...pool({}), heavy: { size: 1 } } }, 'pools.heavy.size = 1: is not a known field'],
  [{ pools: { ...pool({}), a: {}, b: {}, c: {}, d: {}, e: {} } }, 'expected at most 5 pools'],
  [{ pools: { heavy: {} } }, 'pools.default: is required'],
  [{ stage: '../cdk' }, 'context "stage" is "../cdk"; expected one of dev, local, prod'],
  [
    { allowedTargetHosts: 'https://example.com' },
    'allowedTargetHosts.0 = "https://example.com": expected a host',
  ],
  [{ allowedTargetHosts: '["*.com","*"]' }, 'allowedTargetHosts.1 = "*": expected a host'],
  [{ signing: '{"legacy":"no"}' }, 'signing.legacy = "no": expected true or false'],
  [{ signing: '{"old":true}' }, 'signing.old = true: is not a known field'],
  [{ allowedTargetHosts: [] }, 'allowedTargetHosts = []: expected at least one'],
  ...[
    '*',
    'arn:aws:lambda:*:*:function:*',
    'arn:aws:lambda:eu-central-1:*:function:billing',
    'arn:aws:lambda:eu-central-1:111122223333:function:billing?',
    'arn:aws:lambda:eu-central-1:111122223333:function:billing:live:7',
    'arn:aws:lambda:eu-central-1:111122223333:function:billing:',
    'arn:aws:lambda:eu-central-1:111122223333:function:billing:v1.2',
    'arn:aws:sqs:eu-central-1:111122223333:a:live',
    'arn:aws:sqs:eu-central-1:111122223333:$a',
    'arn:aws:states:eu-central-1:111122223333:stateMachine:a:live',
    'arn:aws:s3:::bucket',
    'arn:aws:iam::111122223333:role/admin',
    'arn:aws:sqs:eu-central-1:111122223333:a,arn:aws:sqs:eu-central-1:111122223333:b',
  ].map((arn): [Record<string, unknown>, string] => [
    { allowedTargetArns: [arn] },
    `allowedTargetArns.0 = "${arn}": expected an ARN of lambda`,
  ]),
  [
    { allowedTargetArns: { billing: ['arn:aws:s3:::bucket'] } },
    'allowedTargetArns.billing.0 = "arn:aws:s3:::bucket": expected an ARN of lambda',
  ],
  [{ allowedTargetArns: { billing: [] } }, 'allowedTargetArns.billing = []: expected at least one'],
  [{ allowedTargetArns: [5] }, 'allowedTargetArns'],
  [{ assumeRole: 'arn:aws:iam::111122223333:role/x' }, 'expected roleArn, or one role for each project'],
  [
    { assumeRole: { roleArn: 'arn:aws:iam::111122223333:role/*' } },
    'assumeRole.roleArn = "arn:aws:iam::111122223333:role/*": expected the ARN of an IAM role',
  ],
  [
    { assumeRole: { billing: { roleArn: 'arn:aws:iam::111122223333:role/x', externalId: 'a b' } } },
    'assumeRole.billing.externalId = "a b": expected 2 to 200 letters',
  ],
  [{ machineClients: { CI: { project: 'shop', role: 'editor' } } }, 'expected a name of at most 32 of a-z'],
  [
    { machineClients: { ci: { project: 'shop', role: 'boss' } } },
    'machineClients.ci.role = "boss": expected one of viewer, approver, worker, operator, editor, owner',
  ],
  [
    { machineClients: { ci: { project: 'quarterjack-canary', role: 'viewer' } } },
    'machineClients.ci.project = "quarterjack-canary": expected a project',
  ],
  [
    { machineClients: { ci: { project: 'shop', role: 'viewer', clientId: 'x' } } },
    'machineClients.ci.clientId = "x": expected only with issuer',
  ],
  [{ executorShift: 'blue' }, 'executorShift = "blue"'],
  [
    { stage: 'local', executorShift: 'canary' },
    'executorShift = "canary": expected "all-at-once" in the local',
  ],
  [{ shardCuont: 32 }, 'context "shardCuont" is not known; did you mean "shardCount"?'],
  [{ shardCount: true }, 'shardCount = true: expected a whole number from 1 to 256'],
  [{ shardCount: ' ' }, 'shardCount = " ": expected a whole number from 1 to 256'],
  [
    { reservedConcurrency: { scaner: 5 } },
    'reservedConcurrency.scaner = 5: is not a known field; did you mean "scanner"?',
  ],
  [
    { pools: pool({ batchsize: 5 }) },
    'pools.default.batchsize = 5: is not a known field; did you mean "batchSize"?',
  ],
  [{ quotas: { ...QUOTAS, job: 5 } }, 'quotas.job = 5: is not a known field; did you mean "jobs"?'],
  [{ alarms: 'fewst' }, 'alarms = "fewst": must be one of fewest, essential, all; did you mean "fewest"?'],
  [
    { assumeRole: { billing: { roleArn: 5 } } },
    'assumeRole.billing.roleArn = 5: must be a text, not a number',
  ],
  [{ alarmDestination: 'ops' }, 'alarmDestination = "ops": expected an email address or an https URL'],
  [{ machineClients: [] }, 'machineClients = []: must be an object, not a list'],
  [
    { reservedConcurrency: { executor: 104 } },
    'reservedConcurrency.executor = 104: expected at least 105, the invocations that its queues may start at once',
  ],
  [
    { reservedConcurrency: { longExecutor: 9 } },
    'reservedConcurrency.longExecutor = 9: expected at least 10, the invocations that its queues may',
  ],
  [
    { shardCount: 32, reservedConcurrency: { sweeper: 31 } },
    'reservedConcurrency.sweeper = 31: expected at least 32',
  ],
  [{ issuer: 'http://a.example', audience: 'a' }, 'issuer = "http://a.example": expected an https URL'],
  [{ issuer: 'https://a.example' }, 'audience: required, because issuer is set'],
  [{ audience: 'a' }, 'issuer: required, because audience is set'],
  [{ callbackUrls: 'http://example.com' }, 'callbackUrls.0 = '],
  ...[
    ['*', 'expected an origin in lower case without "*"'],
    ['https://*.example.com', 'expected an origin in lower case without "*"'],
    ['https://shop.example.com/', 'expected an origin without a path or a slash at its end'],
    ['http://localhost:3000/shop', 'expected an origin without a path or a slash at its end'],
    ['http://shop.example.com', 'expected https: http is for localhost and 127.0.0.1 alone'],
    ['http://localhost.example.com', 'expected https: http is for localhost and 127.0.0.1 alone'],
  ].map(([origin, message]): [Record<string, unknown>, string] => [
    { allowedOrigins: origin },
    `allowedOrigins.0 = "${origin}": ${message}`,
  ]),
  [{ pools: '{"default"' }, 'context "pools" is "{\\"default\\""; expected JSON'],
  [
    { pools: pool({ timeoutSec: 901 }) },
    'pools.default.timeoutSec = 901: expected a whole number from 60 to 900',
  ],
  [
    {
      pools: pool({ maxConcurrency: { highest: 20, high: 10, medium: 10, low: 5, lowest: 1, overflow: 2 } }),
    },
    'pools.default.maxConcurrency.lowest = 1: expected a whole number from 2 to 1000',
  ],
  [
    { pools: pool({ maxConcurrency: { highest: 5, high: 10, medium: 5, low: 5, lowest: 2, overflow: 2 } }) },
    'pools.default.maxConcurrency.high = 10: expected at most 5, the value of highest',
  ],
  [{ stage: 'prod', removal: 'destroy' }, 'removal = "destroy": expected "protect" or "retain" in prod'],
])('%j fails the synthesis with a reason', (context, message) => {
  expect(() => load(context)).toThrow(message);
});

test('a runbook URL that AWS would reject as too long fails the synthesis', () => {
  expect(() => load({ runbookUrl: 'x'.repeat(501) })).toThrow('must have at most 500 characters');
});

test('docs/configuration.md explains every field', () => {
  const page = readFileSync(join(__dirname, '../../docs/configuration.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => String(name));
  expect(new Set(rows)).toEqual(new Set(CONFIG_FIELDS));
});

test('one error lists every invalid value', () => {
  expect(() => load({ shardCount: 0, retentionDays: 0 })).toThrow(/shardCount = 0.*\n.*retentionDays = 0/);
});
