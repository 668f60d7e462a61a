/** A line of a crontab that runs a command. */
export interface CrontabEntry {
  line: number;
  /** Five fields, or a name such as `@daily`. */
  expression: string;
  /** Only in a system crontab. */
  user?: string;
  command: string;
  /** The command's input: the text after its first `%`. */
  stdin?: string;
  /** The time zone set by `CRON_TZ`. It decides when the command runs. */
  timezone?: string;
  /** The command's environment, such as `SHELL` and `PATH`: the settings above its line. */
  env: Record<string, string>;
}

export interface Crontab {
  entries: CrontabEntry[];
  unreadable: { line: number; text: string; reason: string }[];
}

const SETTING = /^\s*([A-Za-z_]\w*|"[^"]+"|'[^']+')\s*=\s*(.*)$/;

/** Cron itself takes shorter lines. */
const MAX_LINE = 65_536;

/** Reads a crontab. In a `system` crontab (`/etc/crontab`, `/etc/cron.d`), each line names a user. */
export function readCrontab(text: string, { system }: { system: boolean }): Crontab {
  const crontab: Crontab = { entries: [], unreadable: [] };
  let env: Record<string, string> = {};
  for (const [index, raw] of text.split('\n').entries()) {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (content.length > MAX_LINE) {
      const reason = `the line has ${content.length} characters; at most ${MAX_LINE} are read`;
      crontab.unreadable.push({ line: index + 1, text: content.slice(0, 80), reason });
      continue;
    }
    const [, name, value] = SETTING.exec(content) ?? [];
    if (name !== undefined) env = { ...env, [unquoted(name)]: unquoted((value as string).trim()) };
    else {
      const entry = entryOf(content, system);
      const line = index + 1;
      if (typeof entry === 'string') crontab.unreadable.push({ line, text: content, reason: entry });
      else {
        const { CRON_TZ: timezone, ...others } = env;
        crontab.entries.push({ line, ...entry, ...(timezone ? { timezone } : {}), env: others });
      }
    }
  }
  return crontab;
}

/** `1 5 cron.daily nice run-parts …`, or `@monthly 45 cron.monthly …`: no day of a month has such a name. */
const ANACRON = /^(?:@\w+\s+\d+\s+[A-Za-z]|\d+\s+\d+\s+(?!LW\s)[\w.-]*[A-Za-z]{2}[\w.-]*\s)/;
const USER = /^[A-Za-z_][\w.@:-]*\$?$/;
/** What stands there if a line has no user. */
const COMMANDS = new Set(
  'env sh bash cd sudo nice ionice flock timeout nohup exec test curl wget php perl python python3 node'.split(
    ' ',
  ),
);

/** The entry, or the reason why the line is not one. */
function entryOf(content: string, system: boolean): Omit<CrontabEntry, 'line' | 'env'> | string {
  if (ANACRON.test(content))
    return 'it is a line of anacron (period, delay, name, command), which counts days from its last run';
  const fieldCount = content.startsWith('@') ? 1 : 5;
  const wordCount = fieldCount + (system ? 1 : 0);
  const match = new RegExp(`^((?:\\S+\\s+){${wordCount}})(.+)$`, 's').exec(content);
  if (!match) return `expected ${system ? 'a schedule, a user and a command' : 'a schedule and a command'}`;
  const words = (match[1] as string).trim().split(/\s+/);
  // On Debian and SUSE, a leading "-" keeps the run out of the log.
  const user = system ? (words[fieldCount] as string) : undefined;
  if (user !== undefined && (!USER.test(user) || COMMANDS.has(user)))
    return `${user} is no user: a command stands where the line of a system crontab names its user`;
  const expression = words.slice(0, fieldCount).join(' ').replace(/^-/, '');
  if (expression === '@reboot') return '@reboot is not a time: a job cannot run when a machine boots';
  if (expression.includes('~'))
    return `${expression}: "~" is a random time, chosen each time cron starts; choose a fixed time, or use jitter`;
  const { command, stdin } = splitAtPercent(match[2] as string);
  return {
    expression: expression === '@midnight' ? '@daily' : expression === '@annually' ? '@yearly' : expression,
    ...(user === undefined ? {} : { user }),
    command,
    ...(stdin === undefined ? {} : { stdin }),
  };
}

/**
 * The first `%` ends the command and begins its input. Each further one is a line break; `\%` is a plain `%`.
 */
function splitAtPercent(text: string): { command: string; stdin?: string } {
  const [command = '', ...input] = text.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  return { command: command.trim(), ...(input.length > 0 ? { stdin: input.join('\n') } : {}) };
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');
