import { useState } from 'preact/hooks';

import { say } from './toast';
import { wordsOf } from './problem';

/** An action of the reader: one at a time, and its outcome is said. */
export function useAction<Args extends unknown[]>(act: (...args: Args) => Promise<string | undefined>) {
  const [isBusy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    try {
      const done = await act(...args);
      if (done !== undefined) say(done);
      return true;
    } catch (thrown) {
      say(wordsOf(thrown), 'bad');
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy };
}
