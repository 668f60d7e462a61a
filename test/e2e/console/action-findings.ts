import type { Page } from 'playwright-core';

import { follow, inChromium, open } from '../../support/console/browser';
import { type ConsoleWorld, ownerOf } from '../../support/console/world';
import { eventually } from '../../support/eventually';

interface Given {
  world: ConsoleWorld;
  page: Page;
  /** A run of `nightly`, whose task `load` has failed. */
  run: string;
}

const HEIGHT_PX = 768;

/** A row is clicked anywhere, and the panel below a long chart comes into sight in a narrow window. */
async function clickedRow({ world, page, run }: Given): Promise<void> {
  await page.route('**/executions/*/tasks?*', async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: object[] };
    const more = Array.from({ length: 60 }, (_, index) => ({
      ...items[0],
      taskId: `more-${index}`,
      name: null,
      dependsOn: [],
    }));
    await route.fulfill({ response, json: { items: [...items, ...more], nextCursor: null } });
  });
  await page.setViewportSize({ width: 1_024, height: HEIGHT_PX });
  await open(page, world.system.url, `/jobs/nightly/executions/${run}`);
  const name = page.getByRole('button', { name: 'load', exact: true });
  const row = page.locator('[data-part=gantt] tbody tr').filter({ has: name });
  await row.locator('td').last().click();
  await page.locator('[data-part=task] [data-part=task-attempts]').waitFor();
  const top = await eventually(
    async () => (await page.locator('[data-part=task]').boundingBox())!.y,
    (y) => y < HEIGHT_PX / 2,
  );
  expect(top).toBeGreaterThan(-HEIGHT_PX);
  expect(new URL(page.url()).searchParams.get('task')).toBe('load');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize({ width: 1_280, height: 720 });
}

/** What a job can do stands on the page of its runs too. */
async function actionsOfAWorkflow({ world, page }: Given): Promise<void> {
  const workflow = { tasks: { one: { target: world.at('/200/1') } } };
  await world.api('PUT', '/v1/jobs/acted-on', { schedule: { type: 'interval', every: '1d' }, workflow });
  await follow(page, '/workflows/acted-on');
  await page.locator('[data-part=runs]').getByText('Run now starts it.').waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.locator('[data-part=pause-dialog]').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  expect((await world.api('GET', '/v1/jobs/acted-on')).body.status).toBe('paused');
  expect(new URL(page.url()).pathname).toBe('/console/workflows/acted-on');
  await world.api('DELETE', '/v1/jobs/acted-on');
}

/** A wrong address says so, and what a new key may is the least. */
async function settings({ world, page }: Given): Promise<void> {
  await follow(page, '/settings/api-keys');
  await page.getByText('The settings have no section “api-keys”.').waitFor();
  await page.getByRole('navigation', { name: 'Sections of the settings' }).getByText('API keys').click();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.locator('[data-part=new-key]');
  await dialog.getByLabel('Name').fill('least');
  await dialog.getByLabel('Good for').selectOption('30');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('It is shown this once.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const owner = await ownerOf(world);
  const { body } = await owner('GET', '/v1/api-keys');
  const key = body.items.find(({ name }: { name: string }) => name === 'least');
  expect(key.role).toBe('viewer');
  const days = (Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  await owner('DELETE', `/v1/api-keys/${key.keyId}`);
}

/** What users look for where it was not. */
export function actionFindingTests(given: () => Given): void {
  inChromium('a row of a run is clicked anywhere, and its task comes into sight', () => clickedRow(given()));
  inChromium('a workflow is paused on its own page', () => actionsOfAWorkflow(given()));
  inChromium('a wrong section of the settings says so, and a new key may the least', () => settings(given()));
}
