import fc from 'fast-check';

import { parseSchedule } from '../../../lambdas/core/schedule/parse';
import type { ScheduleSpec } from '../../../lambdas/core/schedule/spec';
import { naiveCron } from '../../support/naive-cron';

const context = { jobKey: 'alice/report', changedAtMs: Date.parse('2026-01-01T00:00:00Z') };

const minutesFrom = (startMs: number): Date[] =>
  Array.from({ length: 1440 }, (_, minute) => new Date(startMs + minute * 60_000));

function timesOfDay(spec: ScheduleSpec, startMs: number): number[] {
  const { next } = parseSchedule(spec, context);
  const found: number[] = [];
  let atMs = next(startMs - 1);
  while (atMs !== undefined && atMs < startMs + 86_400_000) {
    found.push(atMs);
    atMs = next(atMs);
  }
  return found;
}

describe('exclude', () => {
  it('agrees with a walk over all minutes of a day', () => {
    const crons = naiveCron({ times: 'minutes', days: 'most' });
    const days = fc.constantFrom('2026-02-28', '2026-03-01', '2026-11-01');
    fc.assert(
      fc.property(crons, fc.array(crons, { minLength: 1, maxLength: 3 }), days, (cron, exclusions, day) => {
        const startMs = Date.parse(`${day}T00:00:00Z`);
        const exclude = exclusions.map(({ expression }) => expression);
        const left = minutesFrom(startMs).filter((at) => !exclusions.some(({ means }) => means(at)));

        const every: ScheduleSpec = {
          type: 'interval',
          every: '60s',
          anchor: '2026-01-01T00:00:00Z',
          exclude,
        };
        expect(timesOfDay(every, startMs)).toEqual(left.map(Number));
        const chosen: ScheduleSpec = { type: 'cron', expression: cron.expression, exclude };
        expect(timesOfDay(chosen, startMs)).toEqual(left.filter(cron.means).map(Number));
      }),
    );
  });
});
