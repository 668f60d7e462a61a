/** How long the last green checks took, each kind by itself. */
import { readHashes, writeHashes } from './changed-files.mjs';

const KEPT = 5;

const medianOf = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Adds the seconds of one check, if it was green. Tells the median of the last ones of its kind. */
export function addSeconds(file, kind, seconds) {
  const known = readHashes(file) ?? {};
  const times = (known[kind] ?? []).concat(seconds === undefined ? [] : [seconds]).slice(-KEPT);
  writeHashes(file, { ...known, [kind]: times });
  return { median: medianOf(times), count: times.length };
}
