import { useEffect, useState } from 'preact/hooks';

import type { Schedule } from '../../client/browser';

type Describe = (schedule: Schedule) => string;
let loaded: Describe | undefined;

/** A function that says a schedule in words. Until it is loaded, it shows the expression. */
export function useWords(): Describe {
  const [describe, setDescribe] = useState(() => loaded);
  useEffect(() => {
    if (describe) return;
    let isShown = true;
    void import('./engine').then((engine) => {
      loaded = engine.describeSchedule;
      if (isShown) setDescribe(() => engine.describeSchedule);
    });
    return () => {
      isShown = false;
    };
  }, [describe]);
  return describe ?? shortForm;
}

/** The text that defines a schedule, without its options. */
export function shortForm(schedule: Schedule): string {
  if (typeof schedule === 'string') return schedule;
  switch (schedule.type) {
    case 'cron':
      return schedule.expression;
    case 'interval':
      return `every ${schedule.every}`;
    case 'at':
      return `at ${schedule.at}`;
    case 'delay':
      return `after ${schedule.delay}`;
    case 'none':
      return 'started by something else';
    default:
      return JSON.stringify(schedule);
  }
}

/** The zone of a schedule; undefined where it has none. */
export const zoneOf = (schedule: Schedule): string | undefined =>
  typeof schedule === 'object' && 'timezone' in schedule ? schedule.timezone : undefined;
