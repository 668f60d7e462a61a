import type { Page } from 'playwright-core';

import { open, type Watched } from '../../support/console/browser';
import type { ConsoleWorld } from '../../support/console/world';

const card = (page: Page) => page.locator('[data-part=monitor]');

/** The URLs of a monitor, which its page copies; and its badge is an image. */
async function copied({ api, system }: ConsoleWorld, page: Page): Promise<void> {
  const { body: key } = await api('GET', '/v1/jobs/backup/ping');
  const markdown = `![backup](${key.badgeUrl}?label=backup)`;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, system.url, '/jobs/backup');
  const texts: string[] = [];
  for (const name of ['Copy URL', 'Copy slug URL', 'Copy Markdown']) {
    await card(page).getByRole('button', { name }).press('Enter');
    texts.push(await page.evaluate<string>('navigator.clipboard.readText()'));
  }
  expect(texts).toEqual([key.url, key.slugUrl, markdown]);
  expect(await card(page).locator('dd .mono').allTextContents()).toEqual(texts);
  const badge = await fetch(`${key.badgeUrl}?label=backup`);
  expect([badge.status, badge.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
}

/** What the URLs of a monitor are for, and for whom. */
export async function urlsOfAMonitor(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  await copied(world, page);
  const { scopes, ...me } = (await world.api('GET', '/v1/me')).body as { scopes: string[] };
  const fewer = scopes.filter((scope) => scope !== 'jobs:write');
  await page.route('**/v1/me', (route) => route.fulfill({ json: { ...me, scopes: fewer } }));
  watched.calls.length = 0;
  await open(page, world.system.url, '/jobs/backup');
  await card(page).getByText('Pings within').waitFor();
  expect(await card(page).getByRole('button').count()).toBe(0);
  expect(watched.calls.filter((call) => call.endsWith('/ping'))).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}
