import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ListeningWorkServer } from '../../support/listening-work-server';

const PAGE = readFileSync(join(__dirname, '../../../docs/worker-languages.md'), 'utf8');
const blocks = [...PAGE.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block = '']) => block);
const blockWith = (route: string) => blocks.find((block) => block.includes(route)) ?? '';
const [claim, heartbeat, reports] = ['work/claim', 'attempts/heartbeat', 'attempts/complete'].map(blockWith);
const [complete = '', fail = ''] = reports!.split(/^(?=curl .*attempts\/fail)/m);

test('the page has the four calls', () => {
  expect(claim).toContain('/v1/work/claim');
  expect(heartbeat).toContain('/v1/attempts/heartbeat');
  expect(complete).toContain('/v1/attempts/complete');
  expect(fail).toContain('/v1/attempts/fail');
});

const hasPrograms = ['curl', 'openssl'].every((one) => spawnSync(one, ['--version']).error === undefined);

// A checkout needs nothing but Node.js.
if (hasPrograms) {
  const server = new ListeningWorkServer();
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  const play = async (block: string, token = '') => {
    const env = { PATH: process.env.PATH, QUARTERJACK_URL: server.url, QUARTERJACK_TOKEN: 'key' };
    const script = ['-e', '-c', block];
    return (await promisify(execFile)('bash', script, { env: { ...env, WORK_TOKEN: token } })).stdout;
  };
  const claimed = async () => {
    const { work } = JSON.parse(await play(claim!)) as { work: { token: string }[] };
    return work[0]!.token;
  };

  test('the calls of the page claim work, keep its lease, and report how it ended', async () => {
    server.offer({ payload: { table: 'orders' } });
    const first = await claimed();
    expect(JSON.parse(await play(heartbeat!, first))).toMatchObject({ cancelRequested: false });
    await play(complete, first);
    server.offer({ payload: { table: 'none' } });
    await play(fail, await claimed());
    expect(server.executions).toMatchObject([
      { status: 'succeeded', result: { rows: 7 } },
      { status: 'failed', error: 'no such table', retriable: false },
    ]);
  });
}
