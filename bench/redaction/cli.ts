/**
 * Measures the processor time and the memory of keeping secrets out of texts, at the bounds of both.
 *
 * `npm run bench:redaction -- [--secrets 100] [--bytes 4096] [--lines 10000] [--runs 3] [--json]`
 */
import { randomBytes } from 'node:crypto';

import type { HiddenValue } from '../../lambdas/core/delivery/secrets/needles';
import { Redactor } from '../../lambdas/core/delivery/secrets/redactor';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';

/** The goal, in milliseconds of processor time and in MB. */
const MOST_MS = 200;
const MOST_MB = 30;
const MB = 1_048_576;
/** Most bytes of the lines of a chunk, and of the response of a target with its margin. */
const CHUNK_BYTES = 65_536;
const RESPONSE_BYTES = 6_144 + 65_536;

interface Measured {
  what: string;
  ms: number;
  mb: number;
  steps: number;
}

const memory = (): number => process.memoryUsage().rss;

function measure(what: string, runs: number, work: () => Redactor): Measured {
  let [least, most, steps] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let at = 0; at < runs; at++) {
    const held = memory();
    const before = process.cpuUsage();
    ({ steps } = work());
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    most = Math.max(most, memory() - held);
  }
  return { what, ms: Math.round(least), mb: Math.round(most / MB), steps };
}

run('bench:redaction', async () => {
  const { secrets, bytes, lines, runs } = numbersFrom({ secrets: 100, bytes: 4_096, lines: 10_000, runs: 3 });
  const valuesOf = (make: (at: number) => string): HiddenValue[] =>
    Array.from({ length: secrets }, (_, at) => ({ name: `s${at}`, value: make(at).slice(-bytes) }));
  const random = valuesOf(() => randomBytes(bytes).toString('base64'));
  const alike = valuesOf((at) => `${'a'.repeat(bytes)}${String(at).padStart(6, '0')}`);
  const line = Math.max(1, Math.floor(CHUNK_BYTES / lines));
  const log = (text: string) => Array.from({ length: lines }, () => text.repeat(line).slice(0, line));
  const response = Buffer.from('no such customer: 4711 '.repeat(RESPONSE_BYTES)).subarray(0, RESPONSE_BYTES);
  const said = [JSON.stringify({ text: 'a payload of the most bytes '.repeat(2_300) })];
  const redacted = (values: HiddenValue[], texts: string[]) => () => {
    const redactor = new Redactor(values);
    redactor.texts(texts);
    return redactor;
  };
  const measured = [
    measure('log, random secrets', runs, redacted(random, log('line 1 '))),
    measure('log, secrets and lines alike', runs, redacted(alike, log('a'))),
    measure('log of escapes', runs, redacted(random, log('%41\\"'))),
    measure('response, payload of 64 kB', runs, () => {
      const redactor = new Redactor(random, said);
      redactor.response(response, 6_144, { isCut: true });
      return redactor;
    }),
  ];
  if (wantsJson()) return void printJson({ secrets, bytes, lines, measured });
  say(
    table(
      ['what', 'ms', 'MB', 'steps'],
      measured.map(({ what, ms, mb, steps }) => [what, ms, mb, steps]),
    ),
  );
  say(`\nGoal: ${MOST_MS} ms of processor time, ${MOST_MB} MB.`);
});
