import { Session } from '../terminal-session';

let session: Session;
beforeEach(() => {
  session = new Session();
  session.hasAddress = (host) => Promise.resolve(host === 'example.com');
});
afterEach(() => session.end());

const CREATE = "jobs create report --schedule '0 9 * * *' --http";
const WARNING = 'exmaple.com has no address, as seen from here.';

test('a host without an address is named, and the job is made', async () => {
  const { exitCode, stdout, stderr } = await session.run(`${CREATE} https://exmaple.com/hook --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ jobId: 'report' });
  expect(stderr).toContain(WARNING);
});

test('a changed target is looked up too', async () => {
  expect((await session.run(`${CREATE} https://example.com/hook`)).stderr).toBe('');
  const { stderr } = await session.run('jobs edit report --http https://exmaple.com/hook');
  expect(stderr).toContain(WARNING);
});

test.each(['https://93.184.215.14/hook', 'https://example.com/hook'])('%s needs no warning', async (url) => {
  expect(await session.run(`${CREATE} ${url}`)).toMatchObject({ exitCode: 0, stderr: '' });
});
