import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { CliError } from './exit-codes';
import type { Io } from './io';

/** What an issuer exchanges for the next token. */
export interface Renewal {
  issuer: string;
  tokenEndpoint: string;
  clientId: string;
  refreshToken: string;
}

/** The URL of an API, and how to sign in to it. */
export interface Profile {
  url: string;
  /** A JWT: the one given at login, or the last one that `tokenCommand` or `renewal` gave. */
  token?: string;
  /** How to get the next token of a sign-in with a browser. */
  renewal?: Renewal;
  /** A shell command that prints a JWT. It runs again when the last one is about to expire. */
  tokenCommand?: string;
  /** The directory in which `tokenCommand` runs: that of its login. Absent: that of the command. */
  tokenCommandDir?: string;
  /** The project to work in, for a token of several projects. */
  project?: string;
}

interface Config {
  /** The profile that commands use unless they name another. */
  current?: string;
  profiles: Record<string, Profile>;
}

/** The name of the profile that `login` saves unless it is given another. */
export const DEFAULT_PROFILE = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * The profiles in `$XDG_CONFIG_HOME/quarterjack/config.json`. Only its owner can read it: it contains tokens.
 */
export class Profiles {
  readonly path: string;

  constructor({ env }: Pick<Io, 'env'>) {
    const base = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
    this.path = join(base, 'quarterjack', 'config.json');
  }

  /** The name of the profile to use: `asked` if given, else the current one, else `default`. */
  nameOf(asked: string | undefined): string {
    return checkName(asked ?? this.read().current ?? DEFAULT_PROFILE);
  }

  get(name: string): Profile | undefined {
    const { profiles } = this.read();
    return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  }

  names(): string[] {
    return Object.keys(this.read().profiles);
  }

  /** Saves a profile. It becomes the current one, unless `makeCurrent` is false. */
  put(name: string, profile: Profile, { makeCurrent = true } = {}): void {
    const config = this.read();
    config.profiles[checkName(name)] = profile;
    if (makeCurrent || config.current === undefined) config.current = name;
    this.write(config);
  }

  remove(name: string): boolean {
    const config = this.read();
    if (!Object.hasOwn(config.profiles, name)) return false;
    delete config.profiles[name];
    if (config.current === name) delete config.current;
    this.write(config);
    return true;
  }

  private read(): Config {
    if (!existsSync(this.path)) return { profiles: {} };
    try {
      const { current, profiles } = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<Config>;
      return { current, profiles: profiles ?? {} };
    } catch (cause) {
      throw new CliError(
        `${this.path} is not valid JSON; correct it, or delete it and sign in again`,
        undefined,
        {
          cause,
        },
      );
    }
  }

  /** Replaces the file in one step, since another command may be reading it. */
  private write(config: Config): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const unfinished = `${this.path}.${process.pid}`;
    try {
      writeFileSync(unfinished, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
      chmodSync(unfinished, 0o600);
      renameSync(unfinished, this.path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new CliError(
    `the profile name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, ".", "_" or "-", beginning with a letter or digit`,
  );
}
