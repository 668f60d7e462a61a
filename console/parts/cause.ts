import type { Execution } from '../../client/browser';

/** What the answers of one cause have in common. Long numbers and ids are left out. */
export function causeOf({ fingerprint, status, reason, attempts }: Execution): string {
  if (fingerprint !== undefined) return fingerprint;
  const last = attempts.at(-1);
  const answer = last ? (last.error ?? `status ${last.statusCode}`) : (reason ?? '');
  return `${status}|${reason ?? ''}|${answer.replace(/\d{4,}|[0-9a-f]{8,}/gi, '#').slice(0, 120)}`;
}
