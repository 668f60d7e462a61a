import type { Browser, BrowserContext, Page } from 'playwright-core';

import { apiCaller } from '../api-caller';
import { eventually } from '../eventually';
import { type RunningSystem, startSystem } from '../local-run';
import { listenOnLoopback, type LoopbackServer, workAskedFor } from '../loopback-server';
import { launch, PATIENCE_MS, signIn, type Watched, watch } from './browser';

const LONG = 'the end of it'.padStart(3_000, 'x');

/** A local run, a target, a browser, and a page on which alice is signed in. */
export interface ConsoleWorld {
  system: RunningSystem;
  target: LoopbackServer;
  browser: Browser;
  api: ReturnType<typeof apiCaller>;
  /** URL of a target: `/200/5` answers 200 after 5 ms, and `/200/5/long` with 3,000 bytes. */
  at(path: string): { type: 'http'; url: string };
  /** A page of its own context: another window, with storage of its own. */
  newPage(options?: Parameters<Browser['newContext']>[0]): Promise<{
    page: Page;
    context: BrowserContext;
    watched: Watched;
  }>;
  end(): Promise<void>;
}

export async function consoleWorld(): Promise<ConsoleWorld> {
  const target = await listenOnLoopback((request, response) => {
    const body = request.url?.endsWith('/long') ? LONG : '{"error":"upstream_unavailable"}';
    const { status, ms } = workAskedFor(request.url, Number(request.headers['quarterjack-attempt']));
    // A call that is still open at the end does not keep the tests alive.
    setTimeout(() => response.writeHead(status).end(body), ms).unref();
  });
  const [system, browser] = await Promise.all([startSystem('--port', '0', '--ephemeral'), launch()]);
  const api = apiCaller(system.url, await system.token('alice'));
  return {
    system,
    target,
    browser,
    api,
    at: (path) => ({ type: 'http', url: target.url + path }),
    async newPage(options = {}) {
      // Without reduced motion, each page with a running execution would draw itself 60 times a second.
      const motion = { reducedMotion: 'reduce' } as const;
      const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...motion, ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const watched = await watch(context, system.url);
      return { page: await context.newPage(), context, watched };
    },
    async end() {
      await browser.close();
      await system.end();
      target.stop();
    },
  };
}

/** Requests of alice with the rights of an owner, which the console asks for and `api` lacks. */
export const ownerOf = async ({ system }: ConsoleWorld): Promise<ConsoleWorld['api']> =>
  apiCaller(system.url, await system.token('alice', 'project:admin'));

/** Waits until an execution of a job has a status, and returns its id. */
export async function executionWith(world: ConsoleWorld, jobId: string, status: string): Promise<string> {
  const { body } = await eventually(
    () => world.api('GET', `/v1/jobs/${jobId}/executions?status=${status}`),
    (answer) => answer.body.items?.length > 0,
  );
  return body.items[0].execId;
}

export { signIn };
