import { LocalRunError } from '../../run/errors';
import { parseLasting } from '../step-functions/scripts';

/** How work of a service goes: how long each piece takes, and how one after another ends. */
export interface WorkScript {
  /** Name of what is started; `*` means every other one. */
  of: string;
  lastsMs: number;
  /** At least one. The last one repeats. */
  ends: readonly string[];
}

/** The words of a service for how its work ends, the first of which is the default. */
interface Words {
  flag: string;
  example: string;
  ends: readonly string[];
  /** Whether `exit-0` to `exit-255` are words too. */
  exits?: boolean;
}

const WORDS = {
  batch: { flag: '--batch-job', example: 'report=20s,exit-1,exit-0', ends: ['host-gone'], exits: true },
  glue: {
    flag: '--glue-job',
    example: 'etl=20s,failed,succeeded',
    ends: ['succeeded', 'failed', 'timeout', 'error', 'no-room'],
  },
  codebuild: {
    flag: '--codebuild',
    example: 'site=20s,failed,succeeded',
    ends: ['succeeded', 'failed', 'fault', 'timed-out', 'no-room'],
  },
} as const satisfies Record<string, Words>;
export type WorkService = keyof typeof WORDS;

const SCRIPT = /^([\w.*-]{1,255})=(\w{1,12})((?:,[a-z0-9-]+)*)$/;
const EXIT = /^exit-(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/;

const defaultOf = (service: WorkService): WorkScript => ({
  of: '*',
  lastsMs: 5_000,
  ends: [service === 'batch' ? 'exit-0' : 'succeeded'],
});

/** Parses what is said of work: `etl=20s,failed`. Throws a `LocalRunError` that names the flag. */
export const workScriptParser =
  (service: WorkService) =>
  (text: string): WorkScript => {
    const { flag, example, ends: words, exits = false }: Words = WORDS[service];
    const [, of = '', lasting = '', given = ''] = SCRIPT.exec(text) ?? [];
    const lastsMs = parseLasting(lasting);
    const ends = given.split(',').slice(1);
    const isKnown = (end: string) => words.includes(end) || (exits && EXIT.test(end));
    if (lastsMs === undefined || !ends.every(isKnown))
      throw new LocalRunError(
        `${flag} is ${JSON.stringify(text)}; expected NAME=DURATION and how its work ends in turn, such as ` +
          `${example}, with at most 20d and any of ${[...(exits ? ['exit-0 to exit-255'] : []), ...words].join(', ')}`,
      );
    return { of, lastsMs, ends: ends.length === 0 ? defaultOf(service).ends : ends };
  };

/** The script for a name: its own, or that for all, or the default. */
export function workScriptOf(scripts: readonly WorkScript[], service: WorkService, name: string): WorkScript {
  const find = (of: string) => scripts.findLast((script) => script.of === of);
  return find(name) ?? find('*') ?? defaultOf(service);
}
