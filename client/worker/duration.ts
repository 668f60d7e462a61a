/** The forms that the API accepts, and echoes as they were given. Days are 24 h. */
const SHORT = /^(?=\d)(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const ISO = /^P(?=\d|T\d)(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** `60s`, `1m30s` or `PT1M` in milliseconds. Undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const parts = (SHORT.exec(text) ?? ISO.exec(text))?.slice(1);
  if (!parts) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}
