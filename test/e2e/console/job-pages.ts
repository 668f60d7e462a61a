import type { Page } from 'playwright-core';

import { follow, inChromium, settled } from '../../support/console/browser';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';

interface Given {
  world: ConsoleWorld;
  page: Page;
}

const shown = (page: Page) => page.locator('.ledger tbody tr time').first();

/** The zone of the address is that of the ledger, and links keep it. */
async function zoneOfALedger({ page }: Given): Promise<void> {
  await follow(page, '/jobs/invoice-42?tz=Asia%2FTokyo');
  await shown(page).waitFor();
  const at = new Date((await shown(page).getAttribute('datetime'))!);
  const inTokyo = at.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' });
  expect(await shown(page).textContent()).toContain(inTokyo);
  expect(await page.locator('[data-part=zone]').inputValue()).toBe('Asia/Tokyo');
  await page.locator('[data-part=tabs]').getByRole('link', { name: 'Schedule' }).click();
  await page.waitForURL('**/jobs/invoice-42/schedule?tz=Asia%2FTokyo');
  await follow(page, '/jobs/invoice-42?tz=UTC');
  const inUtc = at.toISOString().slice(11, 16);
  await page.locator(`.ledger time[datetime="${at.toISOString()}"]`, { hasText: inUtc }).first().waitFor();
  expect(inUtc).not.toBe(inTokyo);
}

/** The dialog of a resume says what the API previews, in the zone of the schedule. */
async function nextTimeOfAResume({ world, page }: Given): Promise<void> {
  const schedule = { type: 'cron', expression: '30 2 1 JAN *', timezone: 'Asia/Kolkata' };
  await world.api('PUT', '/v1/jobs/yearly', { schedule, target: world.at('/200/1') });
  await world.api('POST', '/v1/jobs/yearly/pause');
  await follow(page, '/jobs/yearly');
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  const dialog = page.locator('[data-part=resume-dialog]');
  const { body } = await world.api('POST', '/v1/schedules/preview', { schedule, count: 1 });
  const next = dialog.locator('time');
  await next.waitFor();
  expect(await next.getAttribute('datetime')).toBe(body.times[0].at);
  expect(await next.textContent()).toContain('02:30');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect((await world.api('GET', '/v1/jobs/yearly')).body.status).toBe('active');
}

/** Jobs that were paused together are resumed together. */
async function resumeOfATag({ world, page }: Given): Promise<void> {
  await world.api('POST', '/v1/jobs/batch-0/pause');
  await follow(page, '/jobs?tag=team:data');
  await page.locator('.jobs .s-paused').first().waitFor();
  await page.getByLabel('Choose all shown').check();
  await page.locator('[data-part=bulk]').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Resume 5' }).click();
  await page.locator('[data-part=bulk-progress]', { hasText: '5 of 5 done' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.jobs .s-active').nth(4).waitFor();
  const { body } = await world.api('GET', '/v1/jobs?tag=team:data&status=paused');
  expect(body.items).toEqual([]);
}

/** Its row leads to the job, not to a form. */
async function jobCalledNew({ world, page }: Given): Promise<void> {
  const job = { schedule: { type: 'none' }, target: world.at('/200/1') };
  expect((await world.api('PUT', '/v1/jobs/new', job)).status).toBe(201);
  await follow(page, '/jobs?q=new');
  await page.locator('.jobs').getByRole('link', { name: 'new', exact: true }).click();
  await page.waitForURL('**/jobs/new**');
  await page.locator('[data-part=schedule-words]').waitFor();
  await world.api('DELETE', '/v1/jobs/new');
}

/** While the API searches, what is shown is faint and cannot be chosen; hits are shown as they come. */
async function filterUnderWay({ page }: Given): Promise<void> {
  await follow(page, '/jobs');
  const rows = page.locator('.jobs tbody tr');
  await rows.first().waitFor();
  const before = await rows.count();
  const releases: (() => void)[] = [];
  const cursors: (string | null)[] = [];
  await page.route('**/v1/jobs?*lastStatus=failed*', async (route) => {
    const url = new URL(route.request().url());
    cursors.push(url.searchParams.get('cursor'));
    await new Promise<void>((resolve) => releases.push(resolve));
    url.searchParams.delete('cursor');
    const response = await route.fetch({ url: url.href });
    const { items } = (await response.json()) as { items: object[] };
    const isFirst = cursors.length === 1;
    await route.fulfill({
      response,
      json: { items: isFirst ? items.slice(0, 1) : items.slice(1), nextCursor: isFirst ? 'on' : null },
    });
  });
  // The page is busy from the choice on, before its request is on its way.
  const release = async (request: number) => {
    await eventually(
      () => releases.length,
      (count) => count > request,
    );
    releases[request]!();
  };
  await page.getByLabel('Last result').selectOption('failed');
  await page.locator('.previous[aria-busy=true] .jobs').waitFor();
  expect(await rows.count()).toBe(before);
  await page.getByLabel('Choose all shown').check();
  expect(await page.locator('[data-part=bulk]').count()).toBe(0);
  await release(0);
  await page.getByText('1 job so far, and the search goes on').waitFor();
  expect(await rows.count()).toBe(1);
  await release(1);
  await settled(page);
  expect(await rows.count()).toBeGreaterThan(1);
  expect(cursors).toEqual([null, 'on']);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** Back shows a list where it was left. */
async function scrollAfterBack({ page }: Given): Promise<void> {
  await page.setViewportSize({ width: 1_280, height: 400 });
  await follow(page, '/jobs');
  await page.locator('.jobs tbody tr').nth(8).waitFor();
  const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
  await page.evaluate('scrollTo(0, 200)');
  expect(await scrolled()).toBe(200);
  await page.evaluate(`document.querySelector('.jobs tbody a.job').click()`);
  await page.waitForURL('**/console/jobs/*');
  await settled(page);
  await page.goBack();
  await eventually(scrolled, (top) => top === 200);
  expect(new URL(page.url()).pathname).toBe('/console/jobs');
  await page.setViewportSize({ width: 1_280, height: 720 });
}

interface Explained {
  steps: { text: string }[];
}

/** The second occurrence is skipped while the first one still runs. */
async function whyItWasSkipped({ world, page }: Given): Promise<void> {
  const schedule = { type: 'interval', every: '1s' };
  await world.api('PUT', '/v1/jobs/overlaps', { schedule, target: world.at('/200/600000'), overlap: 'skip' });
  const skipped = await executionWith(world, 'overlaps', 'skipped');
  await world.api('POST', '/v1/jobs/overlaps/pause');
  const { dueAt } = (await world.api('GET', `/v1/jobs/overlaps/executions/${skipped}`)).body;
  const { body } = await world.api('GET', `/v1/jobs/overlaps/explain?at=${dueAt}`);
  await follow(page, `/jobs/overlaps/why?at=${dueAt}`);
  const verdict = page.locator('[data-part=verdict]');
  await verdict.locator('.s-skipped').waitFor();
  expect(await verdict.textContent()).toBe(body.verdict + body.sentence);
  await page.locator('.proof li.no h3', { hasText: 'The execution before' }).waitFor();
  const texts = await page.locator('.proof li p:first-of-type').allTextContents();
  expect(texts).toEqual((body as Explained).steps.map(({ text }) => text));
  await world.api('DELETE', '/v1/jobs/overlaps'); // each second of its pause would be a row of Today
}

/** Only a deployment that was down makes a misfire, so this one is the test's. It becomes a backfill. */
async function whyItMisfired({ page }: Given): Promise<void> {
  const at = '2026-11-17T08:00:00.000Z';
  const text = 'It was found at 10:31, after its grace of 1 m, and its policy is skip.';
  const evidence = { text: 'the record', execId: 'x-1' };
  const range = { from: '2026-11-16T08:00:00.000Z', to: '2026-11-19T08:00:00.000Z', count: 4 };
  await page.route('**/v1/jobs/on-workdays/explain?*', (route) =>
    route.fulfill({
      json: {
        at,
        verdict: 'skipped',
        sentence: 'It was skipped.',
        steps: [{ code: 'misfire', holds: false, text, evidence }],
        execution: { jobId: 'on-workdays', execId: 'x-1', status: 'skipped', dueAt: at, skipped: range },
      },
    }),
  );
  await follow(page, `/jobs/on-workdays/why?at=${at}`);
  const step = page.locator('.proof li');
  await step.getByText(text).waitFor();
  expect(await step.locator('h3').textContent()).toContain('The grace of missed times : no');
  expect(await step.locator('.source').textContent()).toContain('from the record');
  expect(await step.getByRole('link').getAttribute('href')).toContain('/jobs/on-workdays/executions/x-1');
  await page.getByRole('link', { name: 'Run all 4…' }).click();
  const plan = page.locator('[data-part=backfill-plan]');
  await plan.getByText('4 dates').waitFor();
  expect(await plan.locator('time').first().getAttribute('datetime')).toBe(range.from);
  expect(await plan.locator('time').nth(1).getAttribute('datetime')).toBe(range.to);
  await page.keyboard.press('Escape');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** The calendar has each New Year's Day, on which the expression would be due. */
async function whyItWasExcluded({ world, page }: Given): Promise<void> {
  const year = new Date().getUTCFullYear() + 1;
  const at = `${year}-01-01T08:00:00.000Z`; // 09:00 in Berlin
  const { body } = await world.api('GET', `/v1/jobs/on-workdays/explain?at=${at}`);
  await follow(page, `/jobs/on-workdays/why?at=${at}`);
  const verdict = page.locator('[data-part=verdict]');
  await verdict.getByText('not-planned').waitFor();
  expect(await verdict.textContent()).toBe(body.verdict + body.sentence);
  const step = page.locator('.proof li.no', { has: page.getByText('Left out by the schedule') });
  await step.getByText('de-holidays').waitFor();
  expect(await step.locator('h3').textContent()).toBe('Left out by the schedule : no');
  const texts = await page.locator('.proof li p:first-of-type').allTextContents();
  expect(texts).toEqual((body as Explained).steps.map(({ text }) => text));
}

/** `on-workdays` is planned in Berlin and moves to the next workday. */
async function timesOfAMovedJob({ world, page }: Given): Promise<void> {
  const schedule = {
    type: 'cron',
    expression: '30 0 * * *',
    timezone: 'Asia/Tokyo',
    exclude: [{ calendar: 'de-holidays' }, '* * * * SAT', '* * * * SUN'],
    onExcluded: 'next-day',
  };
  const made = await world.api('PUT', '/v1/jobs/moves', { schedule, target: world.at('/200/1') });
  expect(made.status).toBe(201);
  const { body } = await world.api('GET', '/v1/jobs/moves/upcoming?count=10');
  const times = (body as { times: { local: string; note?: string }[] }).times;
  await follow(page, '/jobs/moves/schedule');
  const rows = page.locator('[data-part=preview] tbody tr');
  await rows.nth(9).waitFor();
  const days = await rows.locator('td:first-child').allTextContents();
  const dayOf = ({ local }: { local: string }) => String(Number(local.slice(8, 10)));
  expect(days.map((text) => text.split(' ')[1])).toEqual(times.map(dayOf));
  expect(await rows.locator('strong').allTextContents()).toEqual(times.map(() => '00:30'));
  await follow(page, '/jobs/moves?tz=UTC');
  const next = page.locator('[data-part=next]');
  await next.locator('li').nth(4).waitFor();
  expect(await next.locator('time').first().textContent()).toContain('15:30');
  expect(await next.locator('li').first().textContent()).toContain('00:30 UTC+9');
  expect(await next.locator('.late').allTextContents()).toEqual(
    times.slice(0, 5).flatMap(({ note }) => (note === undefined ? [] : [` ${note}`])),
  );
}

/** Jobs: their list, their ledgers, and why they ran or did not. */
export function jobTests(given: () => Given): void {
  inChromium('a ledger shows the zone of its address', () => zoneOfALedger(given()));
  inChromium('the dialog of a resume says the next time', () => nextTimeOfAResume(given()));
  inChromium('a job that its calendar moves is shown on the days of the API', () =>
    timesOfAMovedJob(given()),
  );
  inChromium('a job called new is opened', () => jobCalledNew(given()));
  inChromium('a filter dims what it does not describe, and shows hits as they come', () =>
    filterUnderWay(given()),
  );
  inChromium('jobs of a tag are resumed', () => resumeOfATag(given()));
  inChromium('Back leads to where a list was left', () => scrollAfterBack(given()));
  inChromium('why it was skipped, with the proof of the API', () => whyItWasSkipped(given()));
  inChromium('why its calendar left it out, with the name of the calendar', () => whyItWasExcluded(given()));
  inChromium('why it was a misfire, and a backfill of the whole range', () => whyItMisfired(given()));
}
