import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Invoker } from '../../../local/invoke/invoker';
import { Callers } from '../../../local/services/callers';
import { functionSpec } from '../../support/function-spec';

let directory: string;
let invoker: Invoker;
/** Each environment that starts gets credentials. */
let issue: jest.SpyInstance<unknown, Parameters<Callers['issue']>>;

const spec = (name: string, code: string) => functionSpec(name, join(directory, code));

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-warm-'));
  for (const code of ['executor', 'scanner']) {
    mkdirSync(join(directory, code));
    writeFileSync(join(directory, code, 'index.mjs'), 'export const handler = async () => "done";\n');
  }
  const callers = new Callers();
  issue = jest.spyOn(callers, 'issue');
  const specs = [spec('Executor', 'executor'), spec('LongExecutor', 'executor'), spec('Scanner', 'scanner')];
  invoker = await Invoker.start(specs, {
    callers,
    aws: { region: 'us-east-1', awsUrl: 'http://127.0.0.1:9', startedMs: 0 },
    logs: {
      logDir: join(directory, 'logs'),
      verbose: false,
      out: () => undefined,
      err: () => undefined,
      onLine: () => undefined,
    },
    mappings: [],
  });
});

afterEach(() => {
  invoker.stop();
  rmSync(directory, { recursive: true, force: true });
});

const started = () => issue.mock.calls.map(([one]) => one?.logicalId);

test('of functions with the same code, one gets an environment before an event needs it', async () => {
  for (const id of ['Executor', 'LongExecutor', 'Scanner', 'Executor']) invoker.warmUp(`arn:${id}`);
  expect(started()).toEqual(['Executor', 'Scanner']);
  expect(await invoker.invoke('arn:LongExecutor', '{}')).toEqual({ ok: true, payload: '"done"' });
  expect(started()).toEqual(['Executor', 'Scanner', 'LongExecutor']);
});
