import type { Command } from 'commander';

import { Quarterjack } from '../client';
import { CliError } from './exit-codes';
import type { Io } from './io';
import { Profiles } from './profiles';
import { hasColour, type Style, styleOf } from './terminal/style';
import { tokenOf } from './tokens';

/** Options that every command takes. */
export interface GlobalOptions {
  url?: string;
  profile?: string;
  json?: boolean;
}

/** What a command works with. */
export interface Context {
  io: Io;
  profiles: Profiles;
  globals: GlobalOptions;
  style: Style;
  json: boolean;
  /** To stdout: the answer, and nothing else. */
  out(text: string): void;
  /** To stderr: what a person wants to know beside the answer. */
  say(text: string): void;
  /** One JSON document on stdout, where `--json` asks for it; else what `human` makes. */
  print(value: unknown, human: () => string): void;
  client(): Quarterjack;
}

export function contextOf(command: Command, io: Io): Context {
  const globals = command.optsWithGlobals<GlobalOptions>();
  const profiles = new Profiles(io);
  const json = globals.json === true;
  const out = (text: string) => void io.stdout.write(text);
  return {
    io,
    profiles,
    globals,
    style: styleOf(!json && hasColour(io, io.stdout)),
    json,
    out,
    say: (text) => void io.stderr.write(`${text}\n`),
    print: (value, human) => out(json ? `${JSON.stringify(value, null, 2)}\n` : human()),
    client: () => clientOf(globals, profiles, io),
  };
}

/** The flag, then the environment, then the profile. */
function clientOf(globals: GlobalOptions, profiles: Profiles, io: Io): Quarterjack {
  const { env, connection } = io;
  const name = profiles.nameOf(globals.profile ?? (env.QUARTERJACK_PROFILE || undefined));
  const profile = profiles.get(name);
  const url = globals.url ?? (env.QUARTERJACK_URL || profile?.url);
  if (!url) {
    throw new CliError(
      `no API: profile ${JSON.stringify(name)} does not exist; run quarterjack login, or set --url or QUARTERJACK_URL`,
    );
  }
  if (env.QUARTERJACK_TOKEN) return new Quarterjack({ url, token: env.QUARTERJACK_TOKEN, ...connection });
  if (!profile) throw new CliError('no token: run quarterjack login, or set QUARTERJACK_TOKEN');
  if (new URL(url).origin !== new URL(profile.url).origin) {
    throw new CliError(
      `profile ${JSON.stringify(name)} has a token for ${profile.url}, which ${url} does not get; sign in there with --profile NAME, or set QUARTERJACK_TOKEN`,
    );
  }
  const token = async () => {
    const keep = (fresh: string) => profiles.put(name, { ...profile, token: fresh }, { makeCurrent: false });
    return (await tokenOf(profile, io, keep)) ?? '';
  };
  return new Quarterjack({ url, token, ...connection });
}
