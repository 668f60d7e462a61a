import { useEffect, useState } from 'preact/hooks';

import type { Schedule } from '../../client/browser';
import { shortForm } from './short-form';

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
