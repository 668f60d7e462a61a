import type { StageDeps } from '../../../../lambdas/core/deps';
import { labelsOf } from '../../../../lambdas/core/delivery/job-templates/run-labels';
import { endWithoutFollowUps } from '../../../../lambdas/core/ending/end-without-follow-ups';
import type { Ending } from '../../../../lambdas/core/store/execution-store';
import { aJob, anExecution, T0_MS } from '../../../support/factories';
import { RecordingLog } from '../../../support/recording-log';
import { RecordingMeter } from '../../../support/recording-meter';

test('an end is written without its run tags if the schedule of its job cannot be read', async () => {
  const endings: Ending[] = [];
  const log = new RecordingLog();
  const endStale = async (_: unknown, ending: Ending) => {
    endings.push(ending);
    return 'done';
  };
  const deps = {
    clock: { nowMs: () => T0_MS },
    ends: { endStale },
    meter: new RecordingMeter(),
    publishEnd: () => undefined,
    retentionDays: 30,
    labelsOf,
    log,
  } as unknown as StageDeps;
  const schedule = { type: 'of-a-later-version' } as never;
  const job = aJob({ schedule, runTags: ['a', '{{ run.day }}'], externalId: '{{ run.id }}' });
  const execution = anExecution({ status: 'running', runTags: ['of-the-request'] });
  const request = { execution, end: { status: 'failed' }, precondition: { kind: 'stale' }, job } as const;
  const ended = await endWithoutFollowUps({ ...request, by: 'sweeper' }, deps);
  expect(ended).toMatchObject({ status: 'failed', runTags: ['of-the-request'], tagsLeftOut: 3 });
  expect(endings).toEqual([expect.objectContaining({ status: 'failed', tagsLeftOut: 3 })]);
  expect(log.lines).toContainEqual(expect.objectContaining({ message: 'run tags were left out' }));
});
