import type { StageDeps } from '../../../../lambdas/core/deps';
import type { EndedRow, EndedBy } from '../../../../lambdas/core/domain/ended';
import { followUpsBy, type Listener } from '../../../../lambdas/core/ending/follow-ups';
import { RecordingLog } from '../../../support/recording-log';

const TASK: EndedRow = {
  jobKey: 'alice/etl',
  execId: '20261128T120000.000Z/load',
  dueAtMs: Date.UTC(2026, 10, 28, 12),
  status: 'succeeded',
  fence: 1,
};
const PLAIN: EndedRow = { ...TASK, execId: '20261128T120000.000Z' };

/** Follow-ups by listeners that write down whom they hear of, and of which some fail. */
function listening({ failing = [], deaf = [] }: { failing?: string[]; deaf?: string[] } = {}) {
  const heard: string[] = [];
  const log = new RecordingLog();
  const listener = (name: string): Listener => ({
    listensTo: () => !deaf.includes(name),
    after: async (ended) => {
      heard.push(name);
      return new Map(failing.includes(name) ? ended.map((one) => [one, new Error(name)] as const) : []);
    },
  });
  const followUps = followUpsBy([listener('gates'), listener('parents'), listener('alerts')], async () => {
    heard.push('task');
    if (failing.includes('task')) throw new Error('task');
  });
  const deps = { log } as unknown as StageDeps;
  return {
    heard,
    log,
    afterOne: (ended: EndedRow, by: EndedBy) => followUps.afterOne(ended, { by }, deps),
    afterPage: (ended: readonly EndedRow[]) => followUps.afterPage(ended, deps),
  };
}

test('listeners are heard in their order, and the mark of a task comes last', async () => {
  const { heard, afterOne } = listening();
  await afterOne(TASK, 'executor');
  expect(heard).toEqual(['gates', 'parents', 'alerts', 'task']);
});

test('an execution that is no task has no mark', async () => {
  const { heard, afterOne } = listening({ deaf: ['alerts'] });
  await afterOne(PLAIN, 'executor');
  expect(heard).toEqual(['gates', 'parents']);
});

test('gates fail in a sweep: the recheck fails, and the task is not marked', async () => {
  const { heard, afterOne } = listening({ failing: ['gates'] });
  await expect(afterOne(TASK, 'sweeper')).rejects.toThrow('gates');
  expect(heard).toEqual(['gates', 'parents', 'alerts']);
});

test.each(['executor', 'other'] as const)(
  'gates fail for %s: that is logged, and the rest follows',
  async (by) => {
    const { heard, log, afterOne } = listening({ failing: ['gates'] });
    await afterOne(TASK, by);
    expect(heard).toEqual(['gates', 'parents', 'alerts', 'task']);
    expect(log.lines).toEqual([expect.objectContaining({ level: 'error' })]);
  },
);

test('a mark that fails is left to the recheck, or fails it', async () => {
  const { log, afterOne } = listening({ failing: ['task'] });
  await afterOne(TASK, 'executor');
  expect(log.lines).toHaveLength(1);
  await expect(afterOne(TASK, 'sweeper')).rejects.toThrow('task');
});

test('of a page, one listener that fails stops no other, and each failed end is named', async () => {
  const other = { ...PLAIN, jobKey: 'alice/other' };
  const { heard, afterPage } = listening({ failing: ['gates'], deaf: ['parents'] });
  expect([...(await afterPage([PLAIN, other])).keys()]).toEqual([PLAIN, other]);
  expect(heard).toEqual(['gates', 'parents', 'alerts']);
});
