import type { Command, Option } from 'commander';

import { Quarterjack } from '../../client';
import { connectionOf } from '../context';
import type { Io } from '../io';
import { Profiles } from '../profiles';

/** A shell waits for this long at most, while its user waits for the shell. */
const WITHIN_MS = 1_000;
const MAX_IDS = 100;
/** Other ids need quotes in one of the shells, or mean something to it. */
const SAFE = /^[\w.-]+$/;

/** Where the cursor is: the command, the argument that is typed, and what precedes it. */
interface Place {
  path: string;
  argument: string;
  earlier: string[];
  /** What is typed of it. */
  word: string;
  globals: { url?: string; profile?: string; project?: string };
}

interface Question extends Pick<Place, 'earlier' | 'word'> {
  client: Quarterjack;
  signal: AbortSignal;
}

type Source = (question: Question) => Promise<string[]>;

/** From the first page of a list. */
const firstPage =
  <Item>(
    list: (question: Question) => AsyncIterable<Item> & PagesOf<Item>,
    idOf: (item: Item) => string,
  ): Source =>
  async (question) => {
    const { value } = await list(question).pages().next();
    return value ? value.items.map(idOf) : [];
  };

interface PagesOf<Item> {
  pages(): AsyncGenerator<{ items: Item[] }, void, undefined>;
}

const PAGE = { limit: MAX_IDS };

const JOBS = firstPage(
  ({ client, word, signal }) => client.jobs.summaries({ ...PAGE, q: word || undefined }, { signal }),
  ({ jobId }) => jobId,
);

/** Which ids an argument takes, by its name. A name with several meanings has its command before it. */
const SOURCES: Record<string, Source> = {
  jobId: JOBS,
  jobIds: JOBS,
  fileOrJobId: JOBS,
  execId: firstPage(
    ({ client, earlier: [jobId = ''], signal }) => client.executions.list(jobId, PAGE, { signal }),
    ({ execId }) => execId,
  ),
  'backfills execId': firstPage(
    ({ client, earlier: [jobId = ''], signal }) => client.backfills.list(jobId, PAGE, { signal }),
    ({ execId }) => execId,
  ),
  taskId: firstPage(
    ({ client, earlier: [jobId = '', execId = ''], signal }) =>
      client.tasks.list(jobId, execId, PAGE, { signal }),
    ({ taskId }) => taskId,
  ),
  'calendars id': firstPage(
    ({ client, signal }) => client.calendars.list(PAGE, { signal }),
    ({ calendarId }) => calendarId,
  ),
  'notifications id': firstPage(
    ({ client, signal }) => client.notifications.list(PAGE, { signal }),
    ({ id }) => id,
  ),
  'secrets name': firstPage(
    ({ client, signal }) => client.secrets.list(PAGE, { signal }),
    ({ name }) => name,
  ),
  'concurrency-keys key': firstPage(
    ({ client, signal }) => client.concurrencyKeys.list(PAGE, { signal }),
    ({ key }) => key,
  ),
  'keys keyIds': firstPage(
    ({ client, signal }) => client.apiKeys.list({ signal }),
    ({ keyId }) => keyId,
  ),
  'queues name': firstPage(
    ({ client, signal }) => client.workQueues.list({ signal }),
    ({ queue }) => queue,
  ),
  'projects name': async ({ client, signal }) =>
    (await client.me({ signal })).projects.map(({ name }) => name),
};

/** Their argument is the id of something new. */
const MAKE = ['jobs create'];

const sourceOf = (path: string, argument: string): Source | undefined =>
  MAKE.includes(path) ? undefined : (SOURCES[`${path.split(' ')[0]} ${argument}`] ?? SOURCES[argument]);

/** Whether an argument of the command takes ids that the API knows. */
export const takesIds = (path: string, { registeredArguments }: Command): boolean =>
  registeredArguments.some((argument) => sourceOf(path, argument.name()) !== undefined);

/**
 * The ids that the last of the words may become. The words follow the name of the program. It asks for one
 * page, with the token that is there: completion of a word starts no sign-in. Throws whatever goes wrong.
 */
export async function idsFor(program: Command, words: readonly string[], io: Io): Promise<string[]> {
  const place = placeOf(program, words);
  const source = place && sourceOf(place.path, place.argument);
  if (!source) return [];
  const { retry, ...connection } = connectionOf(place.globals, new Profiles(io), io, { renews: false });
  const client = new Quarterjack({ ...connection, retry: { ...retry, maxTries: 1 } });
  const ids = await source({ ...place, client, signal: AbortSignal.timeout(WITHIN_MS) });
  return ids.filter((id) => SAFE.test(id) && id.startsWith(place.word)).slice(0, MAX_IDS);
}

/** Undefined where no argument is typed. */
function placeOf(program: Command, words: readonly string[]): Place | undefined {
  const word = words.at(-1) ?? '';
  const path: string[] = [];
  const earlier: string[] = [];
  const globals: Record<string, string> = {};
  let command = program;
  let awaited: Option | undefined;
  for (const one of joined(words.slice(0, -1))) {
    if (awaited) {
      globals[awaited.attributeName()] = one;
      awaited = undefined;
    } else if (one.startsWith('-')) {
      const [flag, value] = one.split(/=(.*)/s);
      const option = optionOf(command, flag);
      if (option && takesValue(option) && value === undefined) awaited = option;
      else if (option && value !== undefined) globals[option.attributeName()] = value;
    } else {
      const below = command.commands.find((sub) => [sub.name(), ...sub.aliases()].includes(one));
      if (below && earlier.length === 0) {
        command = below;
        path.push(below.name());
      } else earlier.push(one);
    }
  }
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[earlier.length] ?? (last?.variadic ? last : undefined);
  if (awaited || word.startsWith('-') || !argument) return undefined;
  const { url, profile, project } = globals;
  return {
    path: path.join(' '),
    argument: argument.name(),
    earlier,
    word,
    globals: { url, profile, project },
  };
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

function optionOf(command: Command, flag: string | undefined): Option | undefined {
  for (let one: Command | null = command; one; one = one.parent) {
    const option = one.options.find(({ long, short }) => flag === long || flag === short);
    if (option) return option;
  }
  return undefined;
}

/** bash makes several words of `--flag=value` and of a URL. */
function joined(words: readonly string[]): string[] {
  const all: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isSeparator = word === '=' || word === ':';
    if (all.length > 0 && (isSeparator || isOpen)) all.push(`${all.pop()}${word}`);
    else all.push(word);
    isOpen = isSeparator;
  }
  return all;
}
