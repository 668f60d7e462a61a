/** The beginning of a text, at most so many bytes of UTF-8 and no character halved. */
export const firstBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
