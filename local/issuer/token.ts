import { parseArgs } from 'node:util';

import { stateDirs } from '../machine/paths';
import { COMMANDS } from '../run/flags';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, systemClock } from '../machine/clock';
import { LocalRunError, messageOf } from '../run/errors';
import { openIssuer, OWNER } from './issuer';
import { OWNER_SCOPE } from './sign-in/sign-in-page';

const USAGE = `Prints a token that all local runs here accept.

  ${COMMANDS.token} [--user NAME | --client NAME] [--group GROUP] [--scope "jobs:read"] [--ttl 1h]

  --user NAME    the user, which is the subject of the token (default ${OWNER})
  --client NAME  a machine client of the configuration, in place of a user
  --group TEXT   a group of the user, such as project:billing:editor; may be repeated
  --claim TEXT   a further claim, NAME=VALUE; may be repeated
  --scope TEXT   scopes, separated by spaces (default: all that an owner of a project has;
                 "admin", for operators of the deployment, has to be named)
  --ttl TIME     validity: a number followed by s, m, h or d (default 1h)
  --data DIR     the data of the run, if it was started with --data outside a checkout
`;

const UNIT_MS: Record<string, number> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      user: { type: 'string' },
      client: { type: 'string' },
      group: { type: 'string', multiple: true, default: [] },
      claim: { type: 'string', multiple: true, default: [] },
      scope: { type: 'string', default: OWNER_SCOPE },
      ttl: { type: 'string', default: '1h' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const user = values.user ?? values.client ?? OWNER;
  if (user === '') throw new LocalRunError('--user is empty; expected the name of a user');
  if (values.user && values.client) throw new LocalRunError('--user and --client cannot be combined');
  const issuer = await openIssuer(stateDirs(values.data).issuer);
  const request = {
    user,
    scope: values.scope,
    groups: values.group,
    claims: {
      ...Object.fromEntries(values.claim.map(claimOf)),
      ...(values.client && { client_id: values.client }),
    },
    ttlSec: ttlSecOf(values.ttl),
    nowMs: systemClock.nowMs(),
  };
  process.stdout.write(`${await issuer.token(request)}\n`);
}

/** Claims that the other flags and the issuer set. */
const RESERVED_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'scope', 'cognito:groups'];

function claimOf(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals));
  if (name === '')
    throw new LocalRunError(`--claim is ${JSON.stringify(text)}; expected NAME=VALUE, such as tenant=acme`);
  if (RESERVED_CLAIMS.includes(name))
    throw new LocalRunError(
      `--claim names ${name}, which the issuer or another flag sets; expected another name`,
    );
  return [name, text.slice(equals + 1)];
}

function ttlSecOf(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  const ttlSec = match ? (Number(match[1]) * (UNIT_MS[match[2] as string] as number)) / SECOND_MS : 0;
  if (ttlSec < 1)
    throw new LocalRunError(
      `--ttl is ${JSON.stringify(text)}; expected a number followed by s, m, h or d, such as 90m`,
    );
  return ttlSec;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`token: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
