import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Io } from '../../../cli/io';
import { main } from '../../../cli/main';
import { type HttpEvent, requestOf, resultFor } from '../../../lambdas/api/http/http-event';
import { handleRequest } from '../../../lambdas/api/handle-request';
import { hasKeyPrefix } from '../../../lambdas/core/api-keys/key-format';
import { verifyKey } from '../../../lambdas/core/api-keys/verify-key';
import { ROUTES } from '../../../lambdas/core/contracts/routes';
import { contextOf, type IdentityContext } from '../../../lambdas/core/domain/identity-context';
import { contextOfClaims } from '../../support/caller';
import { ApiWorld } from '../api/world';

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface SessionOptions {
  env?: Record<string, string>;
  stdin?: string;
  /** Makes stdout and stderr look like terminals. */
  isTTY?: boolean;
  /** How wide the terminals are. */
  columns?: number;
}

/** The command line with the real API behind it, which has tables in memory and virtual time. */
export class Session {
  readonly world = new ApiWorld();
  readonly home = mkdtempSync(join(tmpdir(), 'quarterjack-cli-'));
  /** The requests so far: `GET /v1/jobs`; `CHECK /v1/jobs/batch` for a dry run. */
  readonly requests: string[] = [];
  /** The body of each request. */
  readonly bodies: string[] = [];
  /** The project that each request named, null if none. */
  readonly projects: (string | null)[] = [];
  /** Responses for the next requests, instead of the API's. An `Error` simulates a network failure. */
  readonly instead: (Response | Error)[] = [];
  /** Where commands run. */
  cwd = process.cwd();
  /** Presses Ctrl-C in the command that runs. */
  interrupt = () => undefined as void;
  /** What the user types after a question. */
  ask: (question: string) => Promise<string> = () => Promise.resolve('');
  /** What an issuer responds. */
  fetch: Io['fetch'] = () => Promise.reject(new Error('no issuer'));
  /** What the user does in the browser. */
  openBrowser: Io['openBrowser'] = () => Promise.resolve(false);
  /** What a look-up of a host finds. */
  hasAddress: Io['hasAddress'] = () => Promise.resolve(true);
  /** Called before each request, with its number from 1. */
  beforeRequest: (count: number, request: string) => void = () => undefined;

  async run(args: string, options: SessionOptions = {}): Promise<Ended> {
    return this.runArgs(
      args.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'(.*)'$/s, '$1')),
      options,
    );
  }

  async runArgs(
    args: string[],
    { env = {}, stdin = '', isTTY = false, columns = 100 }: SessionOptions = {},
  ): Promise<Ended> {
    const ended: Ended = { exitCode: -1, stdout: '', stderr: '' };
    const output = (name: 'stdout' | 'stderr') => ({
      isTTY,
      columns,
      write: (text: string) => (ended[name] += text),
    });
    const io: Io = {
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: Object.assign(
        (async function* () {
          yield await Promise.resolve(stdin);
        })(),
        { isTTY },
      ),
      cwd: () => this.cwd,
      env: {
        HOME: this.home,
        TZ: 'Europe/Berlin',
        QUARTERJACK_URL: 'https://api.test',
        QUARTERJACK_TOKEN: 'alice',
        ...env,
      },
      nowMs: () => this.world.clock.nowMs(),
      ask: (question) => this.ask(question),
      fetch: (url, init) => this.fetch(url, init),
      openBrowser: (url) => this.openBrowser(url),
      hasAddress: (host) => this.hasAddress(host),
      onStop: () => () => undefined,
      program: [],
      onInterrupt: (act) => {
        this.interrupt = act;
        return () => undefined;
      },
      connection: {
        retry: { maxTries: 2 },
        surroundings: { fetch: (request) => this.answer(request), sleep: () => Promise.resolve() },
      },
    };
    ended.exitCode = await main(args, io);
    return ended;
  }

  /** The output of a command with `--json`. Throws if its exit code is not 0. */
  // The tests that use it fail if a property is missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  async json(args: string): Promise<any> {
    const { stdout, stderr, exitCode } = await this.run(`${args} --json`);
    if (exitCode !== 0) throw new Error(`${args} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as unknown;
  }

  end(): void {
    rmSync(this.home, { recursive: true });
  }

  /** Responds as the deployed API would. The token is the name of the user. */
  private async answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const method = /[?&]dryRun=true\b/.test(search) ? 'CHECK' : request.method;
    this.projects.push(request.headers.get('quarterjack-project'));
    this.requests.push(`${method} ${pathname}${search}`);
    this.bodies.push(await request.clone().text());
    this.beforeRequest(this.requests.length, `${method} ${pathname}`);
    const instead = this.instead.shift();
    if (instead instanceof Error) throw instead;
    if (instead) return instead;
    const sub = request.headers.get('authorization')?.replace('Bearer ', '') ?? '';
    if (sub === 'expired') return new Response('{"message":"Unauthorized"}', { status: 401 });
    for (const { method, path } of ROUTES) {
      const match = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(pathname);
      if (!match || method !== request.method) continue;
      const body = await request.text();
      const event: HttpEvent = {
        routeKey: `${method} ${path}`,
        rawQueryString: search.slice(1),
        headers: Object.fromEntries(request.headers),
        pathParameters: match.groups,
        body: body || undefined,
        requestContext: {
          requestId: 'r',
          authorizer: {
            lambda: await this.contextOf(sub, request.headers.get('quarterjack-project')),
          },
        },
      };
      const handled = await this.inTime(handleRequest(requestOf(event)!, this.world.deps));
      const { statusCode, headers, body: answered } = resultFor(event, handled);
      return new Response(answered, { status: statusCode, headers });
    }
    return new Response('{"message":"Not Found"}', { status: 404 });
  }

  /** Moves time while the API waits for it, as a PUT of a notification does. */
  private async inTime<T>(work: Promise<T>): Promise<T> {
    let isPending = true;
    const ended = work.finally(() => (isPending = false));
    ended.catch(() => undefined); // it is awaited below, later than Node.js expects
    for (await this.world.clock.flush(); isPending; await this.world.clock.flush())
      if (this.world.clock.sleeping > 0) await this.world.clock.advanceToNext();
    return ended;
  }

  /** What the authorizer says about a token: an API key, or the name of an owner of the project. */
  private async contextOf(token: string, project: string | null): Promise<IdentityContext> {
    if (hasKeyPrefix(token)) return contextOf(await verifyKey(token, this.world.deps));
    const scope = token === 'reader' ? 'jobs:read' : 'jobs:read jobs:write project:admin work';
    return contextOfClaims(
      { sub: token, scope },
      project ? { projects: [{ name: project, role: 'owner' }] } : {},
    );
  }
}
