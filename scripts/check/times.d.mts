export function addSeconds(
  file: string,
  kind: string,
  seconds: number | undefined,
): { median: number | undefined; count: number };
