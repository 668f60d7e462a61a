/** RFC 3339 in UTC with milliseconds. */
export const instantText = (ms: number): string => new Date(ms).toISOString();

export const optionalInstant = (ms: number | undefined): string | null =>
  ms === undefined ? null : instantText(ms);
