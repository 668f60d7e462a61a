import type { BrowserContext, Page, Route } from 'playwright-core';

import { hasChromium, inChromium, moveClock, open, type Watched } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';
import { eventually } from '../../support/eventually';

/** A run of `release`, whose task `approve` waits for an approval. */
interface Given {
  world: ConsoleWorld;
  release: string;
}

const AT = '2026-11-01T09:00:00.000Z';
const APPROVED = {
  status: 'succeeded',
  finishedAt: AT,
  decided: { at: AT, by: { sub: 'bob', type: 'user' }, comment: 'seen by QA' },
};
const ENDED = { status: 'succeeded', finishedAt: AT };
const STOPPING = { stopping: { reason: 'cancelled-by-user', at: AT } };

/** What the API answers, beside what it knows. The answer on the run waits for `run`. */
interface Answers {
  task: object;
  run: Promise<{ workflow?: object; status?: string; finishedAt?: string }>;
}

/** The page of an approval, whose answers a test changes: the run itself stays as it is. */
interface Approval {
  page: Page;
  context: BrowserContext;
  watched: Watched;
  answers: Answers;
  /** The page anew, without a decision. */
  begin(): Promise<void>;
}

async function approvalPage({ world, release }: Given): Promise<Approval> {
  const { page, context, watched } = await world.newPage();
  const path = `/jobs/release/executions/${release}?task=approve`;
  await enter(page, world.system, { path });
  await page.clock.install();
  const answers: Answers = { task: {}, run: Promise.resolve({}) };
  const answer = async (route: Route, changed: () => Promise<object> | object): Promise<void> => {
    const response = await route.fetch();
    const json = (await response.json()) as { workflow: object };
    const { workflow, ...rest }: { workflow?: object } = await changed();
    const both = workflow && { workflow: { ...json.workflow, ...workflow } };
    await route.fulfill({ response, json: { ...json, ...rest, ...both } });
  };
  await page.route(`**/executions/${release}`, (route) => answer(route, () => answers.run));
  await page.route('**/tasks/approve', (route) => answer(route, () => answers.task));
  await page.route('**/tasks/approve/approve', async (route) => {
    answers.task = APPROVED;
    await route.fulfill({ json: { taskId: 'approve', ...APPROVED } });
  });
  const begin = async (): Promise<void> => {
    Object.assign(answers, { task: {}, run: Promise.resolve({}) });
    await open(page, world.system.url, path);
    await decide(page, 'Approve…').waitFor();
  };
  return { page, context, watched, answers, begin };
}

const decide = (page: Page, name: string) => page.locator('[data-part=task]').getByRole('button', { name });
const dialogOf = (page: Page) => page.locator('[data-part=approve-dialog]');
const seen = (page: Page) => page.locator('[data-part=task]').getByText('“seen by QA”');

/** What has the focus: the name of a part, or an element with its words. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement;
    if (at === document.body) return 'body';
    return at.dataset.part ?? at.tagName.toLowerCase() + ' ' + at.textContent.slice(0, 30);
  })()`);

const hasFocus = async (page: Page, ...places: string[]): Promise<void> => {
  const place = await eventually(
    () => focused(page),
    (at) => places.includes(at),
  );
  expect(places).toContain(place);
};

async function ask({ page }: Approval): Promise<void> {
  await decide(page, 'Approve…').click();
  await dialogOf(page).getByLabel('Why?').waitFor();
}

/** The button goes, and the dialog closes before anything is painted. */
async function inOneFrame(approval: Approval): Promise<void> {
  const { page, answers, watched } = approval;
  await ask(approval);
  await eventually(
    () => watched.underWay,
    (count) => count === 0,
  );
  let release = (): void => undefined;
  answers.run = new Promise((resolve) => (release = () => resolve({})));
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 100);
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click();
  // The disabled button loses the focus with a frame of the browser. The page's own frames stand still.
  await hasFocus(page, 'body');
  const tick = async (shown: () => Promise<boolean>): Promise<void> => {
    await eventually(
      async () => (await shown()) || (await page.clock.runFor(1), false),
      (isShown) => isShown,
    );
  };
  await eventually(
    () => watched.underWay,
    (count) => count === 1,
  );
  await tick(async () => (await seen(page).count()) === 1);
  release();
  await tick(async () => (await dialogOf(page).count()) === 0);
  await page.clock.resume();
  await hasFocus(page, 'task-actions');
}

/** The dialog closes, and the button goes with a later answer. */
async function dialogFirst(approval: Approval): Promise<void> {
  const { page, answers, watched } = approval;
  await ask(approval);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  await hasFocus(page, 'button Approve…');
  answers.task = APPROVED;
  await moveClock(page, watched, 10_000);
  await seen(page).waitFor();
  await hasFocus(page, 'task-actions');
}

/** The button goes behind the open dialog. */
async function buttonFirst(approval: Approval): Promise<void> {
  const { page, answers, watched } = approval;
  await ask(approval);
  answers.task = APPROVED;
  await moveClock(page, watched, 10_000);
  await seen(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  await hasFocus(page, 'task-actions');
}

/** The run ends with the decision, and its page asks for everything anew. */
async function endOfTheRun(approval: Approval): Promise<void> {
  const { page, answers } = approval;
  await ask(approval);
  answers.run = Promise.resolve(ENDED);
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
  await page.locator('h1 .s-succeeded').waitFor();
  await seen(page).waitFor();
  // Until the task is known anew, nothing can be done to it.
  await hasFocus(page, 'task-actions', 'h2 approve');
}

/** Nothing is left to be done: the heading of the task has the focus. */
async function noActionsLeft(approval: Approval): Promise<void> {
  const { page, answers } = approval;
  await ask(approval);
  answers.run = Promise.resolve({ workflow: STOPPING });
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click();
  await page.locator('[data-part=task-actions]').waitFor({ state: 'detached' });
  await hasFocus(page, 'h2 approve');
}

/** The API refuses. The button, disabled meanwhile, has the focus again, and then the one that asked. */
async function refused(approval: Approval): Promise<void> {
  const { page } = approval;
  const refusal = { type: 'urn:test', title: 'Conflict', status: 409, detail: 'The task has ended.' };
  await page.route('**/tasks/approve/cancel', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', json: refusal }),
  );
  await decide(page, 'Cancel the task…').focus();
  await page.keyboard.press('Enter');
  const asked = page.locator('[data-part=cancel-task-dialog]');
  await asked.getByRole('button', { name: 'Cancel the task' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The task has ended.').waitFor();
  await hasFocus(page, 'button Cancel the task');
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await hasFocus(page, 'button Cancel the task…');
}

/** A decision never leaves the focus on the body, in whatever order answers arrive and dialogs close. */
export function focusTests(given: () => Given): void {
  describe('the focus stays when', () => {
    let approval: Approval;
    beforeAll(async () => {
      if (hasChromium) approval = await approvalPage(given());
    });
    beforeEach(() => approval?.begin());
    afterAll(async () => {
      await approval?.page.unrouteAll({ behavior: 'ignoreErrors' }); // it may ask again just now
      await approval?.context.close();
    });

    inChromium.each([
      ['the dialog closes and its button goes after that', dialogFirst],
      ['the button goes behind its dialog', buttonFirst],
      ['the run ends with the decision', endOfTheRun],
      ['no action is left', noActionsLeft],
      ['the API refuses', refused],
      ['the button goes and its dialog closes at once', inOneFrame],
    ])('%s', (_name, stays) => stays(approval));
  });
}
