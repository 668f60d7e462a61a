import { Unexportable } from './unexportable';

const SHORT = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const ISO = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Seconds of `1h30m`, `PT30S` or `P1DT2H`. Throws `Unexportable` for months: they have no one length. */
export function secondsOf(text: string): number {
  const short = SHORT.exec(text);
  const [weeks = 0, ...parts] = (
    short ? [undefined, ...short.slice(1)] : (ISO.exec(text)?.slice(1) ?? [])
  ).map((part) => Number(part ?? 0));
  if (parts.length === 0) throw new Unexportable(`its length ${text} is none in minutes, hours or days`);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return (weeks * 7 + days) * 86_400 + hours * 3_600 + minutes * 60 + seconds;
}
