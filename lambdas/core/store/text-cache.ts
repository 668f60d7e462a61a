/** What a process keeps of rows that never change. */
export interface TextCache<Value> {
  get(key: string): Value | undefined;
  /** @param characters of the value as JSON */
  keep(key: string, value: Value, characters: number): void;
}

/** Keeps values of at most so many characters together. The one that was used longest ago goes first. */
export function textCache<Value>(maxCharacters: number): TextCache<Value> {
  const known = new Map<string, { value: Value; characters: number }>();
  let kept = 0;
  return {
    get(key) {
      const cached = known.get(key);
      if (!cached) return undefined;
      known.delete(key);
      known.set(key, cached);
      return cached.value;
    },
    keep(key, value, characters) {
      if (known.has(key)) return;
      known.set(key, { value, characters });
      kept += characters;
      for (const [oldest, { characters: freed }] of known) {
        if (kept <= maxCharacters || oldest === key) return;
        known.delete(oldest);
        kept -= freed;
      }
    },
  };
}
