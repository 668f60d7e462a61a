import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseTaskScript } from '../../../../local/services/ecs/scripts';
import { EcsTasks } from '../../../../local/services/ecs/tasks';
import { glueEventOf } from '../../../../local/services/works/glue';
import { workScriptParser } from '../../../../local/services/works/scripts';
import { Works } from '../../../../local/services/works/works';

// A stand-in whose process is killed is made anew from what it kept.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stand-ins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

let count = 0;
const common = {
  clock: { nowMs: () => 1_000 },
  newId: () => `id-${++count}`,
  publish: async () => undefined,
};

test('work that was refused stays refused for its script: the next process goes on with the next end', () => {
  const path = join(folder, 'glue.jsonl');
  const scripts = [workScriptParser('glue')('etl=1h,no-room,failed,succeeded')];
  const made = () => new Works({ ...common, service: 'glue', tell: glueEventOf, scripts, path });
  const start = (works: Works) => {
    const id = works.newId();
    return works.start({ arn: `arn:${id}`, id, of: 'etl', name: 'qj-1', request: {} });
  };
  const first = made();
  expect(start(first)).toBeUndefined();
  expect(first.list()).toEqual([]);
  const second = made();
  expect(start(second)).toMatchObject({ ends: 'failed' });
  second.stop();
  const third = made();
  expect(start(third)).toMatchObject({ ends: 'succeeded' });
  expect(third.list().map(({ ends }) => ends)).toEqual(['succeeded', 'failed']);
  third.stop();
});

test('a token of ECS that was refused is refused again by the next process', () => {
  const path = join(folder, 'ecs.jsonl');
  const scripts = [parseTaskScript('report=1h,no-room,exit-0')];
  const made = () => new EcsTasks({ ...common, scripts, path });
  const request = {
    cluster: 'arn:aws:ecs:us-east-1:000000000000:cluster/jobs',
    taskDefinition: 'arn:aws:ecs:us-east-1:000000000000:task-definition/report',
    clientToken: 'qj-1',
    startedBy: 'qj-1',
  } as Parameters<EcsTasks['run']>[0];
  expect(made().run(request)).toMatchObject({ task: { status: 'REFUSED' }, isNew: true });
  const second = made();
  expect(second.run(request)).toMatchObject({ task: { status: 'REFUSED' }, isNew: false });
  expect(second.run({ ...request, clientToken: 'qj-2' })).toMatchObject({ task: { ends: 'exit-0' } });
  second.stop();
});
