import { isDeepStrictEqual } from 'node:util';

import { parseAwsExpression } from './aws-expression';
import { type CronExpression, parseCronExpression } from './cron-expression';
import { parseDuration, parsePeriod } from './duration';
import { instantMsOf, parseDateTime } from './instant';
import { ParseError } from './schedule-error';
import { specInWords } from './schedule-words';
import type { CronSpec, IntervalSpec, RecurringSpec, ScheduleSpec } from './spec';
import { parseTimeZone } from './time-zone';

/** Whether two schedules mean the same, in whichever words: `60s`, `1m` and `PT60S` are one interval. */
export const isSameSchedule = (one: ScheduleSpec, other: ScheduleSpec): boolean =>
  isDeepStrictEqual(meaningOf(one), meaningOf(other));

function meaningOf(spec: ScheduleSpec): object | string {
  if (typeof spec === 'string') {
    const words = specInWords(spec);
    return words ? meaningOf(words) : read(spec, awsMeaningOf);
  }
  switch (spec.type) {
    case 'cron':
      return { type: 'cron', cron: read(spec.expression, cronMeaningOf), ...optionsOf(spec) };
    case 'interval':
      return { type: 'interval', ...intervalMeaningOf(spec), ...optionsOf(spec) };
    case 'at':
      return { type: 'at', at: read(spec.at, (text) => instantIn(text, spec.timezone)) };
    case 'delay':
      return { type: 'delay', delayMs: read(spec.delay, parseDuration) };
    case 'none':
      return spec;
    case 'after':
      return { ...spec, on: spec.on ?? 'succeeded', jobs: spec.jobs.toSorted() };
    case 'event':
      return {
        ...spec,
        ...(spec.debounce !== undefined && { debounce: read(spec.debounce, parseDuration) }),
      };
  }
}

function awsMeaningOf(text: string): object {
  const aws = parseAwsExpression(text);
  switch (aws.kind) {
    case 'cron':
      return { type: 'cron', cron: withoutForm(aws.cron), ...NO_OPTIONS };
    case 'rate':
      return { type: 'interval', period: { ms: aws.everyMs }, anchor: undefined, ...NO_OPTIONS };
    case 'at':
      return { type: 'at', at: instantIn(aws.local) };
  }
}

const cronMeaningOf = (text: string): object => withoutForm(parseCronExpression(text));

/** A second of 0 may be written or not. */
const withoutForm = ({ hasSeconds: _, ...times }: CronExpression): object => times;

/** Months count from the local time of an anchor, so it matters whether that is given or follows. */
function intervalMeaningOf({ every, anchor, timezone }: IntervalSpec): object {
  const period = read(every, parsePeriod);
  const isElapsed = typeof period === 'object' && 'ms' in period;
  const anchorOf = (text: string) => (isElapsed ? instantIn(text, timezone) : parseDateTime(text));
  return { period, anchor: anchor === undefined ? undefined : read(anchor, anchorOf) };
}

function optionsOf({ timezone, startAt, endAt, ...spec }: RecurringSpec): object {
  const instant = (text: string | undefined) =>
    text === undefined ? undefined : read(text, (given) => instantIn(given, timezone));
  return {
    timezone: read(timezone ?? 'UTC', (name) => parseTimeZone(name).name),
    startAt: instant(startAt),
    endAt: instant(endAt),
    maxRuns: spec.maxRuns,
    jitter: read(spec.jitter ?? '0s', parseDuration),
    exclude: spec.exclude ?? [],
    only: spec.only ?? [],
    onExcluded: spec.onExcluded ?? 'skip',
    gap: spec.dst?.gap ?? 'shift',
    overlap: spec.dst?.overlap ?? 'first',
  };
}

const NO_OPTIONS = optionsOf({ type: 'cron', expression: '' } satisfies CronSpec);

const instantIn = (text: string, timezone?: string): number =>
  instantMsOf(text, parseDateTime(text), parseTimeZone(timezone));

/** What a text means. One that cannot be read means itself alone: its validation says why. */
function read<Meaning>(text: string, parse: (text: string) => Meaning): Meaning | string {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof ParseError) return text;
    throw error;
  }
}
