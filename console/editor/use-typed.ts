import { useEffect, useState } from 'preact/hooks';

const AFTER_LAST_KEY_MS = 300;

export interface Typed<T> {
  data: T | undefined;
  /** Why there is no answer to what is typed now. The last good answer stays. */
  error: unknown;
}

/** What the API says about what is typed, a moment after its last change. `typed` names it. */
export function useTyped<T>(typed: string, ask: (signal: AbortSignal) => Promise<T>): Typed<T> {
  const [state, setState] = useState<Typed<T>>({ data: undefined, error: undefined });
  useEffect(() => {
    const abort = new AbortController();
    const put = async (): Promise<void> => {
      try {
        const data = await ask(abort.signal);
        if (!abort.signal.aborted) setState({ data, error: undefined });
      } catch (error) {
        if (!abort.signal.aborted) setState((old) => ({ ...old, error }));
      }
    };
    const timer = setTimeout(() => void put(), AFTER_LAST_KEY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);
  return state;
}
