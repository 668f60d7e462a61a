/** Ends a command of a list. */
const BETWEEN = /&&|\|\||[;\n]/;
/** As many commands of a line, and words of a command, are read for its name. */
const MOST = 100;
/** A command that only prepares the next one. */
const PREPARES = /^(?:cd|pushd|\.|source|export|set|unset|umask|ulimit|sleep|test|\[\[?|if|then|while|do|!)$/;
/** Runs the command in its arguments. */
interface Wrapper {
  /** Its options that have a value. */
  valued?: RegExp;
  /** How many arguments of its own are before the command. */
  before?: number;
}

const WRAPPERS = new Map<string, Wrapper>([
  ['chronic', {}],
  ['chrt', { before: 1 }],
  ['env', { valued: /^(?:-u|-C|--unset|--chdir)$/ }],
  ['exec', {}],
  ['flock', { valued: /^(?:-w|-E|--timeout|--wait)$/, before: 1 }],
  ['ionice', { valued: /^(?:-c|-n|--class|--classdata)$/ }],
  ['nice', { valued: /^(?:-n|--adjustment)$/ }],
  ['nohup', {}],
  ['setsid', {}],
  ['sudo', { valued: /^(?:-u|-g|-h|-p|-C|--user|--group)$/ }],
  ['time', {}],
  ['timeout', { valued: /^(?:-k|-s|--kill-after|--signal)$/, before: 1 }],
]);
/** Programs that run the script in their first argument. */
const INTERPRETERS = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|php[\d.]*|node|ruby|perl)$/;

/** The word that says what a line of a crontab does: `tar` of `cd /srv/data && nice tar czf backup.tgz .`. */
export function commandName(line: string): string | undefined {
  const parts = line.split(BETWEEN, MOST).map((part) => part.replace(/^[\s({]+/, ''));
  const names = parts.map((part) => nameOf(part.split(/\s+/, MOST).map(unquoted).filter(Boolean)));
  return names.find((name) => name !== undefined);
}

function nameOf([word, ...rest]: readonly string[]): string | undefined {
  if (word === undefined || PREPARES.test(word)) return undefined;
  if (/^\w+=/.test(word)) return nameOf(rest);
  const name = baseOf(word);
  if (INTERPRETERS.test(name)) return scriptOf(name, rest);
  const wrapper = WRAPPERS.get(name);
  return wrapper ? (nameOf(wrapped(rest, wrapper)) ?? name) : name;
}

/** What follows the options of a wrapper, and the arguments of its own. */
function wrapped(words: readonly string[], { valued, before = 0 }: Wrapper): string[] {
  const at = words.findIndex((word, index) => !word.startsWith('-') && !valued?.test(words[index - 1] ?? ''));
  return at < 0 ? [] : words.slice(at + before);
}

/** The file that an interpreter runs, or the command of `sh -c`, whose first part may name none. */
function scriptOf(interpreter: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !word.startsWith('-'));
  if (at < 0) return interpreter;
  return words.slice(0, at).some((flag) => /^-\w*c$/.test(flag))
    ? nameOf(words.slice(at))
    : baseOf(words[at]!);
}

function unquoted(word: string): string {
  let end = word.length;
  while (`"';)`.includes(word.charAt(end - 1)) && end > 0) end--;
  return word.slice(0, end).replace(/^["']+/, '');
}

const baseOf = (word: string): string => word.split('/').findLast((part) => part !== '') ?? word;
