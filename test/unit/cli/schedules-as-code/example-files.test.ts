import { join } from 'node:path';

import { Session } from '../terminal-session';

const FILES = join(__dirname, '../../../../examples/jobs');

let session: Session;
beforeEach(() => (session = new Session()));
afterEach(() => session.end());

/** A command that has to succeed. */
async function ran(args: string, stdin?: string): Promise<string> {
  const { stdout, stderr, exitCode } = await session.run(args, { stdin });
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: '', exitCode: 0 });
  return stdout;
}

const setPagerDuty = () => ran('secrets set pagerduty --host events.pagerduty.com', 'r0ut1ngk3y');

test('the API takes the files of the examples, and has what they say', async () => {
  await setPagerDuty();
  await ran('secrets set shop --host shop.example', 'p4ssw0rd');
  await ran('concurrency-keys set shop --limit 5');
  const files = `${FILES} --var BASE_URL=https://shop.example`;
  expect(await ran(`apply --yes ${files}`)).toContain('Done: 8 of 8.');
  expect(await ran(`plan ${files}`)).toBe('Nothing to do: 5 unchanged.\n');
});

test('the notification of the backup is about its monitor, which has a URL', async () => {
  await setPagerDuty();
  await ran(`apply --yes ${join(FILES, 'backup.yaml')}`);
  const { filter, target } = await session.json('notifications get backups');
  expect(target.type).toBe('pagerduty');
  const about = await session.json(`jobs list --tag ${filter.tag}`);
  expect(about).toMatchObject([{ jobId: 'nightly-backup', target: { type: 'monitor' } }]);
  expect(await ran('jobs ping nightly-backup')).toContain('/p/qjp_');
});
