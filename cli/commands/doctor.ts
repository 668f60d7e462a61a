import type { Command } from 'commander';

import { Quarterjack } from '../../client';
import type { Context } from '../context';
import { checkAccess } from '../doctor/check-access';
import { checkDeployment } from '../doctor/check-deployment';
import { checkProject } from '../doctor/check-project';
import { checkServer, orUnknown } from '../doctor/check-server';
import { type Check, type Level, problem, unknown } from '../doctor/check';
import { ExitCode, TokenError } from '../exit-codes';
import { localTokenText } from '../local-token';
import type { Run } from '../run';
import { plain } from '../terminal/table';
import { faultOfUrl } from '../url';

/** Its reader waits, so it does not wait for half a minute as other commands do. */
const RETRY = { maxTries: 2, timeoutMs: 10_000 };

export function addDoctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('Check the server, your access, the scheduler and the work, and say what to do.')
    .addHelpText(
      'after',
      `
✓ is well, ! deserves attention, ✗ is a problem, and ? could not be checked. The exit code is 1 if there is a
problem. Scheduler, lanes and dead letters need a token with the scope admin.

Examples:
  quarterjack doctor
  quarterjack doctor --profile prod --json | jq '.checks[] | select(.level != "ok")'`,
    )
    .action(run(examine));
}

async function examine(context: Context): Promise<ExitCode> {
  const checks = await allChecks(context);
  const isWell = !checks.some(({ level }) => level === 'problem');
  context.print({ ok: isWell, checks }, () => checks.map((check) => lineOf(check, context)).join(''));
  return isWell ? ExitCode.ok : ExitCode.failed;
}

async function allChecks(context: Context): Promise<Check[]> {
  const { io } = context;
  const place = context.place();
  if (place === undefined)
    return [problem('server', 'there is no URL', 'run quarterjack login, or set --url or QUARTERJACK_URL')];
  const { url, ...rest } = place;
  const fault = faultOfUrl(url);
  if (fault) return [problem('server', fault.text, fault.advice)];
  const patient = { ...rest, retry: { ...rest.retry, ...RETRY, ...io.connection?.retry } };
  const { fetch: call = (request: Request) => fetch(request), sleep } = rest.surroundings ?? {};
  const open = new Quarterjack({ url, ...patient });
  const { reached, aheadMs, checks } = await checkServer({ client: open, url, fetch: call, nowMs: io.nowMs });
  if (!reached) return checks;
  const client = signedIn(context, patient);
  if (!(client instanceof Quarterjack)) return [...checks, client];
  const access = await checkAccess(client);
  const found = [...checks, ...access.checks];
  if (!access.me) return found;
  const { scopes, project } = access.me;
  const wait = sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));
  if (scopes.includes('admin'))
    found.push(
      ...(await orUnknown('deployment', () =>
        checkDeployment({ client, url, sleep: (ms) => wait(ms, new AbortController().signal) }),
      )),
    );
  else
    found.push(
      unknown(
        'deployment',
        'scheduler, lanes and dead letters',
        ['needs a token with the scope admin', localTokenText('admin', url)].filter(Boolean).join('; '),
      ),
    );
  if (project !== null && scopes.includes('jobs:read'))
    found.push(...(await orUnknown('project', () => checkProject(client, io.nowMs() + aheadMs))));
  return found;
}

function signedIn(context: Context, patient: object): Quarterjack | Check {
  try {
    return new Quarterjack({ ...context.connection(), ...patient });
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return problem('token', error.text, error.advice);
  }
}

const MARKS: Record<Level, string> = { ok: '✓', warning: '!', problem: '✗', unknown: '?' };
const NAME_WIDTH = 'dead letters'.length;

function lineOf({ name, level, text, advice }: Check, { style }: Pick<Context, 'style'>): string {
  const colour = level === 'ok' ? style.good : level === 'problem' ? style.bad : style.dim;
  const line = `${colour(MARKS[level])} ${name.padEnd(NAME_WIDTH)}  ${plain(text)}\n`;
  return advice === undefined ? line : `${line}${' '.repeat(NAME_WIDTH + 4)}→ ${plain(advice)}\n`;
}
