import type { Command } from 'commander';

import { type ConnectionOptions, Quarterjack } from '../client';
import { sayingIfDown } from './connection-faults';
import { printingRequests } from './debug';
import { CliError, TokenError } from './exit-codes';
import type { Io } from './io';
import { type Profile, Profiles } from './profiles';
import { type Format, formatOf, textIn } from './terminal/formats';
import { colouredLines } from './terminal/printable';
import { hasColour, type Style, styleOf } from './terminal/style';
import { fields, type MakeFields, type MakeTable, table } from './terminal/table';
import type { Tokens } from './sign-in/authorize';
import { zoneOfUser } from './terminal/times';
import type { TypedAt } from './time-flags';
import { expiresAtMs, tokenOf } from './tokens';
import { faultOfUrl, originOf } from './url';

/** Options that every command takes. */
interface GlobalOptions {
  url?: string;
  profile?: string;
  project?: string;
  json?: boolean;
  print?: Format;
  quiet?: boolean;
  debug?: boolean;
  /** Only of commands that change something. */
  note?: string;
}

/** What a command can use: its input and output, the profiles, and the client. */
export interface Context {
  io: Io;
  profiles: Profiles;
  globals: GlobalOptions;
  style: Style;
  /** Whether a program reads the result: as JSON, YAML or names. */
  json: boolean;
  /** How many columns the terminal has. Undefined for another output, whose lines may have any length. */
  width: number | undefined;
  /** A table as wide as the terminal at most. */
  table: MakeTable;
  /** Names and values, of which a terminal gets the beginnings. */
  fields: MakeFields;
  /**
   * Writes to stdout: the result of the command, and nothing else. Like `say` and `print`, it writes no
   * hidden characters but colours.
   */
  out(text: string): void;
  /** Writes a line to stderr: hints for a person, such as progress and warnings. */
  say(text: string): void;
  /**
   * Writes the result to stdout: in the format of `-o`, or as the text that `human` returns.
   */
  print(value: unknown, human: () => string): void;
  client(): Quarterjack;
  /** How times without an offset are read: on the clocks of a zone, else on those of this terminal. */
  typedAt(zone?: string): TypedAt;
  /** What a client is made of. Throws as `client` does. */
  connection(): ConnectionOptions;
  /** A connection without a token. Undefined if nothing names a URL. */
  place(): ConnectionOptions | undefined;
}

export function contextOf(command: Command, io: Io): Context {
  const globals = command.optsWithGlobals<GlobalOptions>();
  const profiles = new Profiles(io);
  const format = formatOf(globals);
  const json = format !== 'table';
  const out = (text: string) => void io.stdout.write(colouredLines(text));
  const width = (io.stdout.isTTY === true && io.stdout.columns) || undefined;
  return {
    io,
    profiles,
    globals,
    style: styleOf(!json && hasColour(io, io.stdout)),
    json,
    width,
    table: (columns, rows) => table(columns, rows, width),
    fields: (pairs) => fields(pairs, width),
    out,
    say: (text) => {
      if (!globals.quiet) io.stderr.write(`${colouredLines(text)}\n`);
    },
    print: (value, human) => out(format === 'table' ? human() : textIn(format, value)),
    client: () => new Quarterjack(connectionOf(globals, profiles, io)),
    typedAt: (zone = zoneOfUser(io.env)) => ({ zone, nowMs: io.nowMs() }),
    connection: () => connectionOf(globals, profiles, io),
    place: () => {
      const { url } = placeOf(globals, profiles, io);
      return url ? { url, ...withWords(io, globals) } : undefined;
    },
  };
}

/** The project that the flag or the environment names. */
export const projectOf = ({ project }: GlobalOptions, { env }: Pick<Io, 'env'>): string | undefined =>
  project ?? (env.QUARTERJACK_PROJECT || undefined);

/**
 * The connection to the API that the flag, the environment or the profile names, in this order. Throws a
 * `CliError` if there is no URL or token, or if the profile's token is for another URL. A profile's project
 * counts only for the profile's URL. Without `renews`, a token that has expired is a `CliError`.
 */
export function connectionOf(
  globals: GlobalOptions,
  profiles: Profiles,
  io: Io,
  { renews = true }: { renews?: boolean } = {},
): ConnectionOptions {
  const { env, connection } = io;
  const connected = withWords(io, globals);
  const { note } = globals;
  const { name, profile, url } = placeOf(globals, profiles, io);
  if (!url) {
    throw new CliError(
      `no API URL: there is no profile ${JSON.stringify(name)}; run quarterjack login, or set --url or QUARTERJACK_URL`,
    );
  }
  const fault = faultOfUrl(url);
  if (fault) throw new CliError(`${fault.text}; ${fault.advice}`);
  const isOfProfile = profile !== undefined && new URL(url).origin === originOf(profile.url);
  const project = projectOf(globals, io) ?? (isOfProfile ? profile.project : undefined);
  if (env.QUARTERJACK_TOKEN) return { url, token: env.QUARTERJACK_TOKEN, project, note, ...connected };
  if (!profile) throw new TokenError('no token', 'run quarterjack login, or set QUARTERJACK_TOKEN');
  if (!isOfProfile)
    throw new TokenError(
      `the token of profile ${JSON.stringify(name)} is for ${profile.url} and is not sent to ${url}`,
      'sign in there with --profile NAME, or set QUARTERJACK_TOKEN',
    );
  if (!renews) {
    const { token } = profile;
    if (!token || expiresAtMs(token) <= io.nowMs()) throw new CliError('the token has expired');
    return { url, token, project, note, ...connection };
  }
  const token = async () => {
    // Another command may have renewed the token meanwhile, and a refresh token may be good only once.
    const stored = profiles.get(name) ?? profile;
    const keep = (fresh: Tokens) => profiles.put(name, { ...stored, ...fresh }, { makeCurrent: false });
    try {
      return (await tokenOf(stored, io, keep)) ?? '';
    } catch (error) {
      const renewed = profiles.get(name)?.token;
      if (renewed === undefined || renewed === stored.token) throw error;
      return renewed;
    }
  };
  return { url, token, project, note, ...connected };
}

/** The profile in use, and the URL of the API. */
function placeOf(
  globals: GlobalOptions,
  profiles: Profiles,
  { env }: Pick<Io, 'env'>,
): { name: string; profile: Profile | undefined; url: string | undefined } {
  const name = profiles.nameOf(globals.profile ?? (env.QUARTERJACK_PROFILE || undefined));
  const profile = profiles.get(name);
  return { name, profile, url: globals.url ?? (env.QUARTERJACK_URL || profile?.url) };
}

/** What the client is given for a person who waits. */
function withWords(io: Io, { debug }: GlobalOptions): Io['connection'] {
  const { surroundings = {} } = io.connection ?? {};
  const { fetch: call = (request: Request) => fetch(request) } = surroundings;
  const fetched = sayingIfDown(call, io);
  const seen = debug ? printingRequests(fetched, io) : fetched;
  return { ...io.connection, surroundings: { ...surroundings, fetch: seen } };
}
