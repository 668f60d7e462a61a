import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Decision } from '../../../local/iam/access';
import { readAssembly } from '../../../local/template/assembly';
import { readStack } from '../../../local/template/read-stack';
import { eventually } from '../../support/eventually';
import { type Grant, grantsOf, isNeeded } from '../../support/iam/grants';
import { Host } from '../../support/local/host';
import { RARE_GRANTS } from '../../support/rare-grants';
import { assemblyWith, ofType } from './assemblies';
import { type Receiver, startReceiver } from './receiver';
import { Traffic } from './traffic';

/** Logs and traces leave the machine by ways of Lambda's own: nothing on one machine would miss these actions. */
const EXEMPT = new Set([
  'logs:CreateLogStream',
  'logs:PutLogEvents',
  'xray:PutTelemetryRecords',
  'xray:PutTraceSegments',
]);
/** Once all of the traffic has passed: two rounds of the auditor, and time of a slow machine. */
const NOTICED_WITHIN_MS = 150_000;
const PLACE = { region: 'us-east-1', accountId: '000000000000' };

let directory: string;
let receiver: Receiver;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-identity-'));
  receiver = await startReceiver();
});
afterAll(() => {
  receiver.close();
  rmSync(directory, { recursive: true });
});

/** `scanner dynamodb:Query schedule`, as `RARE_GRANTS` spells it. */
function spelling({ holder, action, resource }: Grant): string {
  const stage = /^Stages([A-Z][a-z]+)Role/.exec(holder)?.[1]?.toLowerCase() ?? holder;
  const table = /Tables([A-Z][a-z]+)/.exec(resource)?.[1]?.toLowerCase();
  const other = /:[^:]*-Executions[^:]*Queue\w+$/.test(resource) ? 'queues' : resource;
  return `${stage} ${action} ${table ?? (resource.includes(':event-bus/') ? 'bus' : other)}`;
}

test('each action on each resource that a role allows is needed by something that the stages do', async () => {
  const silent = await assemblyWith(directory, 'silent', (resources) => {
    for (const schedule of ofType(resources, 'AWS::Scheduler::Schedule'))
      schedule.Properties.State = 'DISABLED';
    // The first tick then has shards to add.
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function'))
      if (Properties.Environment.Variables.SHARD_COUNT) Properties.Environment.Variables.SHARD_COUNT = '2';
  });
  const hasty = await assemblyWith(directory, 'hasty', (resources) => {
    for (const schedule of ofType(resources, 'AWS::Scheduler::Schedule'))
      schedule.Properties.ScheduleExpression = 'rate(1 minute)';
  });
  const dataDir = join(directory, 'data');
  const first = await Host.start({ port: 0, dataDir, assembly: silent });
  await new Traffic(first, receiver).beforeTheFirstTick();
  const early = await first.decisions();
  await first.kill();

  const host = await Host.start({ port: 0, dataDir, assembly: hasty });
  try {
    const place = { ...PLACE, apiUrl: host.run.url, awsUrl: host.run.awsEndpointUrl };
    const all = grantsOf(readStack(readAssembly(hasty), place).policies);
    const grants = all.filter(
      ({ grant }) => !EXEMPT.has(grant.action) && !RARE_GRANTS.includes(spelling(grant)),
    );
    const decisions = async (): Promise<Decision[]> => [...early, ...(await host.decisions())];
    const needless = async (): Promise<string[]> => {
      const made = await decisions();
      return grants.filter((grant) => !isNeeded(grant, made)).map(({ grant }) => spelling(grant));
    };
    await new Traffic(host, receiver).run();
    await eventually(needless, (left) => left.length === 0, NOTICED_WITHIN_MS);
    expect((await decisions()).filter(({ ruling }) => ruling !== 'allowed')).toEqual([]);
    // Every stage and every schedule is among what was asked.
    expect(new Set(all.map(({ grant }) => grant.holder)).size).toBeGreaterThanOrEqual(10);
  } finally {
    await host.stop();
  }
}, 400_000);
