import type { Page } from 'playwright-core';

import { inChromium, moveClock, open } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';
import { eventually } from '../../support/eventually';

/** A run, and an execution of the job `blocks` in it. */
interface Given {
  world: ConsoleWorld;
  failed: string;
}

/** A page of its own whose clock the test moves. */
async function pageWithClock(world: ConsoleWorld, path: string) {
  const made = await world.newPage();
  await enter(made.page, world.system, { path });
  await made.page.clock.install();
  await open(made.page, world.system.url, path);
  return made;
}

/** The list is asked for. Until then, a move of the clock would leave the request without an answer. */
const asked = (page: Page, typed: string) => page.waitForURL(`**/jobs?q=${typed}`);

async function typing({ world }: Given): Promise<void> {
  const { page: typing, context, watched: seen } = await pageWithClock(world, '/jobs');
  const field = typing.getByLabel('Id, name, tag or URL has');
  await field.pressSequentially('inv');
  await asked(typing, 'inv');
  await moveClock(typing, seen, 200_000);
  await field.pressSequentially('oice');
  expect(await field.inputValue()).toBe('invoice');
  await asked(typing, 'invoice');
  const chosen = typing.getByLabel('Choose invoice-42', { exact: true });
  await chosen.check();
  const polls = seen.calls.length;
  await moveClock(typing, seen, 200_000);
  expect(seen.calls.length).toBeGreaterThan(polls);
  expect(await chosen.isChecked()).toBe(true);
  expect(seen.faults).toEqual([]);
  await context.close();
}

async function renewal({ world }: Given): Promise<void> {
  const { page: form, context, watched: seen } = await world.newPage();
  let renewals = 0;
  // Tokens within the margin in which they are renewed: every call renews them, and `Save` does too.
  await context.route('**/_local/token', async (route) => {
    renewals++;
    const response = await route.fetch();
    const tokens = (await response.json()) as object;
    await route.fulfill({ response, json: { ...tokens, expires_in: 30 } });
  });
  await enter(form, world.system, { path: '/jobs/batch-4/definition' });
  await form.getByLabel('Name', { exact: true }).fill('Still here');
  const before = renewals;
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('The definition is saved.').waitFor();
  // `Save` may share a renewal that was under way. The request for the saved job does not.
  await eventually(
    () => renewals,
    (count) => count > before,
  );
  expect((await world.api('GET', '/v1/jobs/batch-4')).body.name).toBe('Still here');
  expect(seen.faults).toEqual([]);
  await context.unrouteAll({ behavior: 'ignoreErrors' }); // a renewal may be under way
  await context.close();
}

async function quietPage({ world, failed }: Given): Promise<void> {
  const path = `/jobs/blocks/executions/${failed}`;
  const { page: quiet, context, watched: seen } = await pageWithClock(world, path);
  seen.calls.length = 0;
  await moveClock(quiet, seen, 50_000);
  expect(seen.calls.filter((call) => call.includes('/executions/'))).toEqual([]);
  await quiet.getByRole('heading', { level: 1 }).focus();
  await quiet.keyboard.press('.');
  await quiet.locator('.live.off').waitFor();
  await moveClock(quiet, seen, 1_000); // effects of the switch come with the next frame
  await moveClock(quiet, seen, 1_000); // what those effects began has ended
  seen.calls.length = 0;
  await moveClock(quiet, seen, 600_000);
  expect(seen.calls).toEqual([]);
  expect(seen.faults).toEqual([]);
  await context.close();
}

async function offlinePage({ world }: Given): Promise<void> {
  const { page: offline, context, watched: seen } = await pageWithClock(world, '/jobs/invoice-42');
  await context.setOffline(true);
  await offline.clock.runFor(60_000); // each request fails at once
  await offline.locator('[data-part=stale]').first().waitFor();
  expect(await offline.locator('.ledger tbody tr').count()).toBeGreaterThan(0);
  await context.setOffline(false);
  await eventually(
    async () => {
      await moveClock(offline, seen, 20_000);
      return offline.locator('[data-part=stale]').count();
    },
    (stale) => stale === 0,
  );
  await context.close();
}

/** How pages keep up to date. */
export function updateTests(given: () => Given): void {
  inChromium('what is typed and what is chosen survives polls', () => typing(given()));
  inChromium('a form is still filled after its token was renewed', () => renewal(given()));
  inChromium('an ended execution asks for nothing more, and neither does a page with updates off', () =>
    quietPage(given()),
  );
  inChromium('without an answer the data stays, and says how old it is', () => offlinePage(given()));
}
