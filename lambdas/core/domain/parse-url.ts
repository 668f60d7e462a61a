/**
 * The URL that a text is; undefined if it is none. Not `URL.canParse`: in Node 20 it rejects names such as
 * `bücher.example` once V8 has optimized its caller.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
