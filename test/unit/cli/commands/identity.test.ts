import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

const ME = {
  by: { sub: '4f1c', name: 'alice@example.com', via: 'token' },
  project: null,
  role: null,
  projects: [
    { name: 'billing', role: 'editor' },
    { name: 'shop', role: 'viewer' },
  ],
  scopes: ['jobs:read', 'jobs:write'],
  stage: 'prod',
  version: '1.2.3',
  region: 'eu-central-1',
};
const answering = (change: object = {}) => session.instead.push(Response.json({ ...ME, ...change }));

test('whoami names the caller and asks for a project if the token has several', async () => {
  answering();
  const { stdout } = await session.run('whoami');
  expect(stdout).toContain('alice@example.com');
  expect(stdout).toContain('none: name one with --project');
  expect(stdout).toContain('stage prod in eu-central-1, version 1.2.3');
  answering({ project: 'billing', role: 'editor' });
  expect((await session.run('whoami')).stdout).toMatch(
    /project +billing\nrole +editor\nscopes +jobs:read jobs:write\n/,
  );
});

test('a name with control characters is made harmless', async () => {
  answering({ by: { ...ME.by, name: 'ali\u001b[31mce' } });
  expect((await session.run('whoami')).stdout).not.toContain('\u001b');
});

test('projects marks the current one', async () => {
  answering({ project: 'shop' });
  expect((await session.run('projects')).stdout).toMatch(
    /^PROJECT +ROLE\nbilling +editor\nshop \* +viewer\n$/,
  );
});

test('projects use keeps a project of the token in the profile, and no other', async () => {
  const env = { QUARTERJACK_URL: '', QUARTERJACK_TOKEN: '' };
  answering();
  await session.run('login --url https://api.test --token-stdin', { env, stdin: 'alice' });
  answering();
  expect(await session.run('projects use billing', { env })).toMatchObject({
    exitCode: 0,
    stdout: 'Profile default works in project billing.\n',
  });
  answering();
  expect(await session.run('projects use other', { env })).toMatchObject({
    exitCode: 5,
    stderr: 'quarterjack: the token has no project "other"; it has billing, shop\n',
  });
  const config = readFileSync(join(session.home, '.config/quarterjack/config.json'), 'utf8');
  expect(JSON.parse(config)).toMatchObject({ profiles: { default: { token: 'alice', project: 'billing' } } });
});

test('usage shows each quota', async () => {
  const { stdout, exitCode } = await session.run('usage');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^QUOTA +USED +ALLOWED\njobs +0 +\d+\n/);
  expect(stdout).toMatch(/\nrunsPerMinute +about 0 +\d+\n/);
});
