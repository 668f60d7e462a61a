import fc from 'fast-check';

/**
 * An oracle that shares nothing with the engine. It makes each expression together with its meaning. It
 * visits time step by step, and gets each wall time from Intl.
 */
export interface NaiveField {
  text: string;
  means: (wall: Date) => boolean;
}

export interface NaiveCron {
  expression: string;
  means: (wall: Date) => boolean;
  interval: boolean;
}

export interface ClockChanges {
  gap: 'shift' | 'skip';
  overlap: 'first' | 'second' | 'both';
}

/** One field of a wall time, which is a Date whose UTC fields are local time. Sunday has two numbers. */
type Part = (wall: Date) => number | number[];

function numericField(
  part: Part,
  min: number,
  max: number,
  favoured: number[] = [],
): fc.Arbitrary<NaiveField> {
  const value = fc.oneof(
    ...(favoured.length > 0 ? [fc.constantFrom(...favoured)] : []),
    fc.integer({ min, max }),
  );
  const step = fc.integer({ min: 1, max: max - min });
  const item = fc.oneof(
    value.map((n) => ({ text: `${n}`, has: (x: number) => x === n })),
    fc.tuple(value, value).map(([a, b]) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return { text: `${from}-${to}`, has: (x: number) => x >= from && x <= to };
    }),
    fc.tuple(value, value, step).map(([a, b, by]) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      return {
        text: `${from}-${to}/${by}`,
        has: (x: number) => x >= from && x <= to && (x - from) % by === 0,
      };
    }),
    fc.tuple(value, step).map(([from, by]) => ({
      text: `${from}/${by}`,
      has: (x: number) => x >= from && (x - from) % by === 0,
    })),
  );
  return fc.oneof(
    fc.constant({ text: '*', means: () => true }),
    step.map((by) => ({
      text: `*/${by}`,
      means: (wall: Date) => [part(wall)].flat().some((x) => (x - min) % by === 0),
    })),
    fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => ({
      text: items.map(({ text }) => text).join(','),
      means: (wall: Date) => items.some(({ has }) => [part(wall)].flat().some(has)),
    })),
  );
}

const DAY_MS = 86_400_000;
const laterDay = (wall: Date, days: number): Date => new Date(wall.getTime() + days * DAY_MS);
const isWorkday = (wall: Date): boolean => wall.getUTCDay() % 6 !== 0;
const isLastDay = (wall: Date): boolean => laterDay(wall, 1).getUTCDate() === 1;
const sameMonth = (a: Date, b: Date): boolean => a.getUTCMonth() === b.getUTCMonth();

/** `nW` by its definition: the workday of the month nearest to day n, if the month has a day n. */
function isNearestWorkday(wall: Date, target: number): boolean {
  const first = laterDay(wall, 1 - wall.getUTCDate());
  const month = Array.from({ length: 31 }, (_, index) => laterDay(first, index)).filter((day) =>
    sameMonth(day, wall),
  );
  if (target > month.length) return false;
  const distance = (day: Date) => Math.abs(day.getUTCDate() - target);
  const nearest = month.filter(isWorkday).sort((a, b) => distance(a) - distance(b))[0]!;
  return nearest.getUTCDate() === wall.getUTCDate();
}

const monthDay = (wall: Date): number => wall.getUTCDate();
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const weekday = fc.integer({ min: 0, max: 6 });

export const specialMonthDay: fc.Arbitrary<NaiveField> = fc.oneof(
  fc.constant({ text: 'L', means: isLastDay }),
  fc.integer({ min: 1, max: 30 }).map((n) => ({
    text: `L-${n}`,
    means: (wall: Date) => isLastDay(laterDay(wall, n)) && sameMonth(wall, laterDay(wall, n)),
  })),
  fc.constant({
    text: 'LW',
    means: (wall: Date) =>
      isWorkday(wall) &&
      [1, 2, 3].every((n) => !sameMonth(wall, laterDay(wall, n)) || !isWorkday(laterDay(wall, n))),
  }),
  fc
    .integer({ min: 1, max: 31 })
    .map((n) => ({ text: `${n}W`, means: (wall: Date) => isNearestWorkday(wall, n) })),
);

export const specialWeekday: fc.Arbitrary<NaiveField> = fc.oneof(
  fc.tuple(weekday, fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([day, n, named]) => ({
    text: `${named ? WEEKDAYS[day] : day}#${n}`,
    means: (wall: Date) => wall.getUTCDay() === day && Math.ceil(wall.getUTCDate() / 7) === n,
  })),
  fc.tuple(weekday, fc.boolean()).map(([day, named]) => ({
    text: `${named ? WEEKDAYS[day] : day}L`,
    means: (wall: Date) => wall.getUTCDay() === day && !sameMonth(wall, laterDay(wall, 7)),
  })),
  fc.constant({ text: '7', means: (wall: Date) => wall.getUTCDay() === 0 }),
  fc.constant({ text: '5-7', means: (wall: Date) => [5, 6, 0].includes(wall.getUTCDay()) }),
  fc.constant({ text: 'mon-FRI', means: isWorkday }),
);

const any: fc.Arbitrary<NaiveField> = fc.constantFrom(
  { text: '*', means: () => true },
  { text: '?', means: () => true },
);
const isRestricted = ({ text }: NaiveField): boolean => !text.startsWith('*') && text !== '?';

/**
 * Hours are mostly those of clock changes. With `days: 'most'`, days are mostly unrestricted, so that a short
 * range has due times. With `times: 'midnight'`, only the days vary.
 */
export function naiveCron(options: {
  times: 'minutes' | 'seconds' | 'midnight';
  days: 'most' | 'any';
}): fc.Arbitrary<NaiveCron> {
  const midnight = options.times === 'midnight';
  const zero = (part: Part): fc.Arbitrary<NaiveField> =>
    fc.constant({ text: '0', means: (wall) => part(wall) === 0 });
  const days = numericField(monthDay, 1, 31);
  const weekdays = numericField((wall) => (wall.getUTCDay() === 0 ? [0, 7] : wall.getUTCDay()), 0, 7);
  const seldom = (field: fc.Arbitrary<NaiveField>, special: fc.Arbitrary<NaiveField>) =>
    options.days === 'most'
      ? fc.oneof({ weight: 5, arbitrary: any }, field)
      : fc.oneof({ weight: 2, arbitrary: any }, field, { weight: 2, arbitrary: special });
  return fc
    .record({
      second:
        options.times === 'seconds'
          ? numericField((wall) => wall.getUTCSeconds(), 0, 59)
          : fc.constant({ text: '', means: (wall: Date) => wall.getUTCSeconds() === 0 }),
      minute: midnight
        ? zero((wall) => wall.getUTCMinutes())
        : numericField((wall) => wall.getUTCMinutes(), 0, 59, [0, 1, 15, 29, 30, 45, 59]),
      hour: midnight
        ? zero((wall) => wall.getUTCHours())
        : numericField((wall) => wall.getUTCHours(), 0, 23, [0, 1, 2, 3, 23]),
      day: seldom(days, specialMonthDay),
      month:
        options.days === 'most'
          ? fc.constant({ text: '*', means: () => true })
          : numericField((wall) => wall.getUTCMonth() + 1, 1, 12),
      weekday: seldom(weekdays, specialWeekday),
    })
    .map(({ second, minute, hour, day, month, weekday: dayOfWeek }) => {
      const either = isRestricted(day) && isRestricted(dayOfWeek);
      const isDay = (wall: Date) =>
        either ? day.means(wall) || dayOfWeek.means(wall) : day.means(wall) && dayOfWeek.means(wall);
      return {
        expression: [second, minute, hour, day, month, dayOfWeek]
          .map(({ text }) => text)
          .join(' ')
          .trim(),
        means: (wall: Date) =>
          second.means(wall) && minute.means(wall) && hour.means(wall) && month.means(wall) && isDay(wall),
        interval: minute.text.startsWith('*') || hour.text.startsWith('*'),
      };
    });
}

/** Intl is asked this often, and at each step in between only where the clocks change. */
const PROBE_MS = 15 * 60_000;

/** What the wall shows at each step from `fromMs` to `toMs`. */
function walk(
  zone: string,
  fromMs: number,
  toMs: number,
  stepMs: number,
): { atMs: number; wallMs: number }[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const wallAt = (atMs: number): number => Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`);
  const steps: { atMs: number; wallMs: number }[] = [];
  for (let probeMs = fromMs; probeMs < toMs; probeMs += PROBE_MS) {
    const nextMs = probeMs + PROBE_MS;
    const offsetMs = wallAt(probeMs) - probeMs;
    const isSteady = wallAt(nextMs) - nextMs === offsetMs;
    for (let atMs = probeMs; atMs < Math.min(nextMs, toMs); atMs += stepMs)
      steps.push({ atMs, wallMs: isSteady ? atMs + offsetMs : wallAt(atMs) });
  }
  return steps;
}

/**
 * All due times in `[fromMs, toMs)`, in steps of `stepMs` (a minute or a second). It reads `marginMs` further
 * on both sides, for wall times that occur twice.
 */
export function naiveTimes(
  cron: NaiveCron,
  zone: string,
  changes: ClockChanges,
  window: { fromMs: number; toMs: number; stepMs: number; marginMs: number },
): number[] {
  const { stepMs, marginMs } = window;
  const steps = walk(zone, window.fromMs - marginMs, window.toMs + marginMs, stepMs);
  const passes = new Map<number, number[]>();
  for (const { atMs, wallMs } of steps) {
    const known = passes.get(wallMs);
    if (known) known.push(atMs);
    else passes.set(wallMs, [atMs]);
  }
  const due: number[] = [];
  steps.forEach(({ atMs, wallMs }, index) => {
    if (atMs < window.fromMs || atMs >= window.toMs) return;
    const here = passes.get(wallMs)!;
    const counts =
      cron.interval ||
      changes.overlap === 'both' ||
      atMs === (changes.overlap === 'first' ? here[0] : here.at(-1));
    const before = steps[index - 1]!.wallMs;
    const fires = (cron.means(new Date(wallMs)) && counts) || firesAfterGap(before + stepMs, wallMs);
    if (fires) due.push(atMs);
  });
  return due;

  function firesAfterGap(missingFromMs: number, missingToMs: number): boolean {
    if (cron.interval || changes.gap === 'skip' || missingToMs - missingFromMs > 180 * 60_000) return false;
    for (let missingMs = missingFromMs; missingMs < missingToMs; missingMs += stepMs) {
      if (cron.means(new Date(missingMs))) return true;
    }
    return false;
  }
}
