import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Decision } from '../../../local/iam/access';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { synthesize } from '../../../local/template/synthesize';
import { Needs } from '../../support/iam/needs';
import { errandRun, WITHIN_MS } from '../../support/local/errand-run';
import { Host } from '../../support/local/host';
import { durableFunctions } from './errands/durable-functions';
import { ecsTasks } from './errands/ecs-tasks';
import type { PlayedErrands } from './errands/played-errands';
import { stateMachines } from './errands/state-machines';
import { works } from './errands/works';

/*
 * Work of all services in one local run, which is killed while the work is under way. Where an event is lost,
 * a probe finds the end a minute later: the services share that minute.
 */

const AWS = { region: 'us-east-1', accountId: '000000000000', apiUrl: 'http://127.0.0.1:1', awsUrl: '' };
const SERVICES: Record<string, PlayedErrands> = { stateMachines, durableFunctions, ecsTasks, works };
const ALL = Object.values(SERVICES);

let assembly: string;
let dataDir: string;
let host: Host;
/** What the policies said, before the kill and after it. */
const decisions: Decision[] = [];

async function start(): Promise<void> {
  const scripts = Object.assign({}, ...ALL.map((one) => one.scripts)) as PlayedErrands['scripts'];
  host = await Host.start({ port: 0, dataDir, assembly, ...scripts });
}

const run = errandRun(() => host);

beforeAll(async () => {
  assembly = await synthesize({
    settings: {
      allowedTargetArns: ALL.flatMap(({ settings }) => settings.allowedTargetArns),
      errands: Object.assign({}, ...ALL.map(({ settings }) => settings.errands)) as object,
    },
  });
  dataDir = mkdtempSync(join(tmpdir(), 'errands-'));
  await start();
  await Promise.all(ALL.map((one) => one.begin(run)));
  decisions.push(...(await host.decisions()));
  expect(host.errors).not.toContain('AccessDenied');
  await host.kill();
  await start();
}, 2 * WITHIN_MS);

afterAll(async () => {
  await host?.stop();
  rmSync(dataDir, { recursive: true });
});

describe.each(Object.entries(SERVICES))('%s', (_, service) => {
  test(
    'survive a kill of the run, and are shown, ended, cancelled and tried again',
    async () => {
      await service.endWork(run);
    },
    WITHIN_MS,
  );
});

test.each(ALL.flatMap(({ refused }) => refused))(
  'a target with another %s is refused',
  async (path, target, message) => {
    const response = await run.post('/v1/jobs', { jobId: 'no', schedule: { type: 'none' }, target });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ path: `target.${path}`, message: expect.stringMatching(message) as string }] },
    ]);
  },
);

test.each(Object.entries(SERVICES))(
  '%s: each job ends as its work ends',
  async (_, service) => {
    await service.expectEnds(run);
  },
  WITHIN_MS,
);

test('each of these calls needs its own grant, and none was denied', async () => {
  const { policies } = readStack(readAssembly(assembly), AWS);
  const grants = ALL.flatMap((one) => one.grants);
  const needs = new Needs(policies, (grant) => !grants.includes(grant));
  expect(needs.grants).toEqual(expect.arrayContaining(grants));
  needs.learn([...decisions, ...(await host.decisions())]);
  expect(needs.unneeded).toEqual([]);
  expect(host.errors).not.toContain('AccessDenied');
});
