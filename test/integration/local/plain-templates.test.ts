import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import type { ExternalRequest } from '../../../local/services/external-resources';
import { TEMPLATES } from '../../../scripts/templates/write-templates';
import { eventually } from '../../support/eventually';
import { assemblyOfTemplate } from '../../support/local/assembly-of-template';
import { Host } from '../../support/local/host';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const FUNCTIONS = 'arn:aws:lambda:us-east-1:000000000000:function:';
const COMMON = {
  AssetsBucket: 'code-of-acme',
  AlarmEmail: 'ops@example.com',
  AllowedFunctionPrefix: 'acme-',
};

let folder: string;
let host: Host | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterjack-templates-'));
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/templates/cli.ts', '--out', folder], {
    cwd: CHECKOUT_DIR,
    stdio: 'pipe',
  });
});
afterEach(() => host?.stop());
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [TEMPLATES['own-pool'], COMMON],
  [TEMPLATES['own-issuer'], { ...COMMON, Issuer: 'https://login.example.com/', Audience: 'jobs' }],
])(
  'a job fires in a stack of %s, and no function is called but those of its parameter',
  async (file, given) => {
    const assembly = assemblyOfTemplate(folder, file, given);
    host = await Host.start({ port: 0, dataDir: undefined, assembly });
    const issuer = await openIssuer(ISSUER_DIR);
    const token = await issuer.token({
      ...{ user: 'alice', scope: 'jobs:read jobs:write' },
      ...{ ttlSec: 600, nowMs: Date.now() },
    });
    const create = (name: string) =>
      host!.fetch('/v1/jobs', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          jobId: name,
          schedule: { type: 'delay', delay: '1s' },
          target: { type: 'lambda', functionArn: FUNCTIONS + name },
        }),
      });

    expect((await create('other-report')).status).toBe(400);
    expect((await create('acme-report')).status).toBe(201);
    const called = await eventually(
      async () =>
        ((await (await host!.fetch('/_local/elsewhere')).json()) as { sent: ExternalRequest[] }).sent,
      (sent) => sent.length > 0,
    );
    expect(called.map(({ resource }) => resource)).toEqual([`${FUNCTIONS}acme-report`]);
  },
);
