import { useEffect, useState } from 'preact/hooks';

import type { Schedule } from '../../client/browser';
import { shortForm } from './short-form';

type Describe = (schedule: Schedule) => string;
let loaded: Describe | undefined;

/** For pages whose words would grow by a line: they are drawn once this has loaded. */
export const loadWords = async (): Promise<void> => {
  loaded ??= (await import('./engine')).describeSchedule;
};

/** A function that says a schedule in words. Until it is loaded, it shows the expression. */
export function useWords(): Describe {
  const [describe, setDescribe] = useState(() => loaded);
  useEffect(() => {
    if (describe) return;
    let isShown = true;
    void loadWords().then(() => {
      if (isShown) setDescribe(() => loaded);
    });
    return () => {
      isShown = false;
    };
  }, [describe]);
  return describe ?? shortForm;
}
