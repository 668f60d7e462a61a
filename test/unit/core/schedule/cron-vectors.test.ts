import type { PlannedSchedule } from '../../../../lambdas/core/schedule/planned-schedule';
import { localText } from '../../../../lambdas/core/schedule/instant';
import { parseSchedule } from '../../../../lambdas/core/schedule/parse';
import { zoneOf } from '../../../../lambdas/core/schedule/zone';
import vectors from '../../../fixtures/schedule/cron-vectors.json';

const CONTEXT = { jobKey: 'alice/report', changedAtMs: 0 };

/** Up to `count` due times, spelled as the vectors spell them. */
function firstTimes(schedule: PlannedSchedule, from: string, count: number): string[] {
  const times: string[] = [];
  let atMs = schedule.next(Date.parse(from));
  while (atMs !== undefined && times.length < count) {
    times.push(new Date(atMs).toISOString().replace('.000Z', 'Z'));
    atMs = schedule.next(atMs);
  }
  return times;
}

describe('cron vectors', () => {
  it.each(vectors.vectors)('$id: $expr in $tz ($note)', ({ expr, tz, from, count, next, nextSkip, kind }) => {
    const cron = { type: 'cron', expression: expr, timezone: tz } as const;
    const shifting = parseSchedule(cron, CONTEXT);
    const skipping = parseSchedule({ ...cron, dst: { gap: 'skip' } }, CONTEXT);

    expect(firstTimes(shifting, from, count)).toEqual(next);
    expect(firstTimes(skipping, from, count)).toEqual(nextSkip ?? next);
    expect(shifting.plan.clockChanges?.overlap).toBe(kind === 'interval' ? 'both' : 'first');
  });

  it.each(vectors.vectors)('$id: local times', ({ tz, next, local }) => {
    const withoutSeconds = next.map((at) => localText(Date.parse(at), zoneOf(tz)).replace(/:00([+-])/, '$1'));
    expect(withoutSeconds).toEqual(local);
  });
});

describe('vectors of local times', () => {
  it.each(vectors.at)('$local in $tz: $note', ({ local, tz, utc }) => {
    const read = () => parseSchedule({ type: 'at', at: local, timezone: tz }, CONTEXT);
    if (utc === null) expect(read).toThrow(expect.objectContaining({ path: 'at' }));
    else expect(firstTimes(read(), '1970-01-01T00:00:00Z', 2)).toEqual([utc]);
  });
});

describe('vectors of rates', () => {
  it.each(vectors.rate)('$rate from $start: $note', ({ rate, tz, start, next, local }) => {
    const schedule = parseSchedule(rate, { jobKey: 'alice/report', changedAtMs: Date.parse(start) });
    expect(firstTimes(schedule, start, next.length)).toEqual(next);
    expect(next.map((at) => localText(Date.parse(at), zoneOf(tz)).replace(/:00([+-])/, '$1'))).toEqual(local);
  });
});

/** What the message must say, by the kind of mistake. */
const SAYS: Record<string, RegExp> = {
  FIELD_COUNT: /has 0 fields; 5 to 7 are needed/,
  OUT_OF_RANGE: /field "\d+": \d+ is out of range; allowed are \d+–\d+/,
  BAD_VALUE:
    /field "[^"]+": ("[^"]*" is no value(; did you mean "MON"\?)?; allowed are|a range has two ends|after # comes 1 to 5)/,
  BAD_STEP: /field "[^"]+": the step must be a whole number from 1 to 60/,
  REVERSED_RANGE: /field "[^"]+": a range must not run backwards/,
  EMPTY_ITEM: /field ",1": a list has an empty item/,
  UNKNOWN_MACRO: /is not a macro; known are @hourly/,
  BAD_CHARACTER: /has the character ".+"; allowed are letters/,
  TOO_LONG: /is 409 characters long, at most 256/,
};

describe('vectors of invalid expressions', () => {
  it.each(vectors.invalid)('$error: $expr', ({ expr, error }) => {
    expect(() => parseSchedule({ type: 'cron', expression: expr }, CONTEXT)).toThrow(
      expect.objectContaining({
        name: 'ScheduleError',
        path: 'expression',
        message: expect.stringMatching(SAYS[error]!),
      }),
    );
  });
});
