import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import { assemblyWith, withoutAction } from './assemblies';
import { type Receiver, startReceiver } from './receiver';

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

/** `shown`: how a refusal names the resource, if not as the template does. */
type Missing = [role: string, action: string, resource: string, shown?: string];

/** Each run is without two permissions. What the first one denies happens whatever becomes of the second. */
const RUNS: [name: string, ...missing: Missing[]][] = [
  [
    'refused',
    ['StagesApiRole', 'dynamodb:PutItem', 'TablesJobs'],
    ['ClockScanRole', 'lambda:InvokeFunction', 'StagesTickFunction'],
  ],
  [
    'not-run',
    ['StagesExecutorRole', 'dynamodb:UpdateItem', 'TablesExecutions'],
    ['StagesTickRole', 'sqs:SendMessage', 'RequestsS', '-s(?:can|weep)'],
  ],
];

test.each(RUNS)('a run without permissions shows each of them: its job is %s', async (name, ...missing) => {
  const assembly = await assemblyWith(directory, name, (resources) => {
    for (const [role, action, resource] of missing) withoutAction(resources, role, action, resource);
  });
  const host = await Host.start({ port: 0, dataDir: undefined, assembly });
  const answer = await host.fetch('/v1/jobs', {
    method: 'POST',
    headers: { authorization: `Bearer ${host.run.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jobId: name,
      schedule: { type: 'delay', delay: '1s' },
      target: { type: 'http', url: `${receiver.url}/hook` },
    }),
  });
  expect(answer.ok).toBe(name !== 'refused');
  for (const [role, action, resource, shown = resource] of missing) {
    const line = new RegExp(`AccessDenied: .*-${role}\\w+ may not ${action} on .*${shown}`);
    await eventually(
      () => host.errors,
      (errors) => line.test(errors),
    );
  }
  expect(receiver.calls(name)).toBe(0);
  await host.stop();
});
