import { LocalRunError } from '../../run/errors';
import { parseLasting } from '../step-functions/scripts';
import type { TaskEnd } from './task';

/** How the tasks of a family go: how long each takes, and how one after another ends. */
export interface TaskScript {
  /** The family of the task definition; `*` means every other one. */
  family: string;
  lastsMs: number;
  /** At least one. The last one repeats. */
  ends: readonly TaskEnd[];
}

/** As if nothing was said about a family. */
const DEFAULT_SCRIPT: TaskScript = { family: '*', lastsMs: 5_000, ends: ['exit-0'] };
const SCRIPT = /^([\w*-]{1,255})=(\w{1,12})((?:,[a-z0-9-]+)*)$/;
const END = /^(?:exit-(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])|spot|no-start|no-room)$/;

/** Parses `report=20s,exit-1,exit-0`. Throws a `LocalRunError` that names the flag. */
export function parseTaskScript(text: string): TaskScript {
  const [, family = '', lasting = '', words = ''] = SCRIPT.exec(text) ?? [];
  const lastsMs = parseLasting(lasting);
  const ends = words.split(',').slice(1);
  if (lastsMs === undefined || !ends.every((end) => END.test(end)))
    throw new LocalRunError(
      `--ecs-task is ${JSON.stringify(text)}; expected FAMILY=DURATION and how its tasks end in turn, ` +
        'such as report=20s,exit-1,exit-0, with at most 20d and any of exit-0 to exit-255, spot, no-start, no-room',
    );
  return { family, lastsMs, ends: ends.length === 0 ? DEFAULT_SCRIPT.ends : (ends as TaskEnd[]) };
}

/** The script of a family: its own, or that for all, or the default. */
export function taskScriptOf(scripts: readonly TaskScript[], family: string): TaskScript {
  const find = (name: string) => scripts.findLast((script) => script.family === name);
  return find(family) ?? find('*') ?? DEFAULT_SCRIPT;
}
