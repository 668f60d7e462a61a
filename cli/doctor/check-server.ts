import { ProblemError, type Quarterjack } from '../../client';
import { explain } from '../exit-codes';
import { isObject } from '../is-object';
import { askVersion, misfitOf } from '../server-version';
import { version } from '../version';
import { type Check, ok, problem, unknown, warning } from './check';

/** Tokens and signatures allow for less than the larger one. */
const SKEW = { toleratedSec: 30, brokenSec: 120 };

interface ServerDeps {
  client: Quarterjack;
  url: string;
  fetch(request: Request): Promise<Response>;
  nowMs(): number;
}

interface Server {
  /** Whether it makes sense to ask for more. */
  reached: boolean;
  /** How far its clock is ahead of this one; 0 if it does not say. */
  aheadMs: number;
  checks: Check[];
}

/** Whether there is a server of the right version, and what its clock says. */
export async function checkServer(deps: ServerDeps): Promise<Server> {
  try {
    const server = await askVersion(deps.client);
    const misfit = misfitOf(server);
    if (server === null) {
      const isOld = await isHealthy(deps.client);
      return {
        reached: isOld,
        aheadMs: 0,
        checks: [
          isOld
            ? problem('server', misfit!, `update the server, or install a command line of its version`)
            : problem(
                'server',
                `${deps.url} is not the URL of a Quarterjack API`,
                'correct --url, or sign in with another --profile',
              ),
        ],
      };
    }
    const versions = `server ${server.version} (API ${server.api}), command line ${version()}`;
    const found =
      misfit === undefined
        ? ok('server', versions)
        : problem('server', versions, misfit.slice(misfit.indexOf(': ') + 2));
    const { aheadMs, check } = await checkClock(deps);
    return { reached: true, aheadMs, checks: [found, check] };
  } catch (error) {
    return {
      reached: false,
      aheadMs: 0,
      checks: [problem('server', explain(error), 'check the URL, the network, and whether the server runs')],
    };
  }
}

async function isHealthy(client: Quarterjack): Promise<boolean> {
  try {
    const health = await client.request('GET', '/v1/health');
    return isObject(health) && health.status === 'pass';
  } catch {
    return false;
  }
}

/** Compares the clock of this machine with that of the server, whose header has whole seconds. */
async function checkClock({ fetch, url, nowMs }: ServerDeps): Promise<{ aheadMs: number; check: Check }> {
  const beforeMs = nowMs();
  const response = await fetch(new Request(`${url.replace(/\/+$/, '')}/v1/health`, { redirect: 'error' }));
  await response.body?.cancel();
  const serverMs = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(serverMs))
    return { aheadMs: 0, check: unknown('clock', 'the server does not say its time') };
  const aheadMs = Math.round(serverMs - (beforeMs + nowMs()) / 2);
  return { aheadMs, check: clockCheck(Math.round(aheadMs / 1_000)) };
}

function clockCheck(aheadSec: number): Check {
  const awaySec = Math.abs(aheadSec);
  if (awaySec <= SKEW.toleratedSec) return ok('clock', `within ${Math.max(1, awaySec)} s of the server’s`);
  const text = `${awaySec} s ${aheadSec > 0 ? 'behind' : 'ahead of'} the server’s`;
  const advice = 'set the clock of this machine by NTP: tokens and signatures are refused otherwise';
  return awaySec > SKEW.brokenSec ? problem('clock', text, advice) : warning('clock', text, advice);
}

/** A check that needs an answer of the API, and says why there is none. */
export async function orUnknown(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403)
      return [unknown(name, `not allowed: ${error.detail}`, 'use a token with this scope to check it')];
    return [problem(name, explain(error), 'ask again; the log of the API has the reason')];
  }
}
