import type { Page } from 'playwright-core';

import { follow, inChromium, open, overflow, settled } from '../../support/console/browser';
import type { ConsoleWorld } from '../../support/console/world';
import { eventually } from '../../support/eventually';

interface Given {
  world: ConsoleWorld;
  page: Page;
}

const NEW = '/jobs/~new?kind=workflow';
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Workflow', exact: true });
const problemsOf = (page: Page) => page.locator('[data-part=workflow-problems]');
const textOf = (workflow: object) => JSON.stringify(workflow, null, 2);

/** The editor with what a new workflow begins with, whatever was typed there before. */
async function begin(page: Page): Promise<void> {
  await follow(page, '/workflows');
  await page.evaluate(`sessionStorage.removeItem('quarterjack.typed /console/jobs/~new workflow ')`);
  await follow(page, NEW);
  await fieldOf(page).waitFor();
}

/** The line on which the caret stands. */
const lineOfCaret = (page: Page): Promise<string> =>
  fieldOf(page).evaluate((field: HTMLTextAreaElement) => {
    const { value, selectionStart: at } = field;
    return value.slice(value.lastIndexOf('\n', at - 1) + 1, (value.indexOf('\n', at) + 1 || 1e6) - 1);
  });

/** What the API finds stands at its line while it is typed, all of it at once. A press leads to the line. */
export async function wrongAtItsLine({ at }: ConsoleWorld, page: Page): Promise<void> {
  await begin(page);
  const target = at('/200/5');
  const tasks = {
    a: { target },
    b: { dependsOn: ['gone'], target },
    c: { dependsOn: ['a', 'lost'], target },
  };
  await fieldOf(page).fill(textOf({ tasks }));
  const lines = problemsOf(page).locator('li');
  await eventually(
    () => lines.count(),
    (count) => count === 2,
  );
  const first = await lines.first().innerText();
  await lines.first().getByRole('button').click();
  expect([first, (await lineOfCaret(page)).trim()]).toEqual([
    expect.stringContaining('no task "gone"'),
    '"gone"',
  ]);
  expect(await page.locator('.wrong-line').count()).toBe(2);
}

/** What is typed is there after a reload, with a word about it, and is not saved by that. */
export async function textOutlivesReload(world: ConsoleWorld, page: Page): Promise<void> {
  await follow(page, '/jobs/nightly/definition');
  const typed = `${await fieldOf(page).inputValue()}\n `;
  await fieldOf(page).fill(typed);
  await page.reload();
  await settled(page);
  await fieldOf(page).waitFor();
  expect(await fieldOf(page).inputValue()).toBe(typed);
  await page.getByRole('button', { name: 'Discard it' }).click();
  expect(await fieldOf(page).inputValue()).toBe(typed.slice(0, -2));
  expect((await world.api('GET', '/v1/jobs/nightly')).body.changeNumber).toBe(1);
}

/** Made by keys alone: completed, inserted by a small form, and taken back. */
async function byKeys({ world, page }: Given): Promise<void> {
  await begin(page);
  const field = fieldOf(page);
  await field.fill('{"tasks": {"extract": {"target": {"type": "http", "url": "https://example.com"}},\n');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('"load": {"dependsOn": ["ex');
  const options = page.getByRole('listbox', { name: 'Completions' });
  expect(await options.getByRole('option').allTextContents()).toEqual(['extract']);
  expect(await field.getAttribute('aria-activedescendant')).not.toBeNull();
  await page.keyboard.press('Enter');
  await page.keyboard.type('], "job": "report", "input": "{{ r');
  await page.keyboard.press('Enter');
  await page.keyboard.type('da');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' }}"}}}');
  const typed = JSON.parse(await field.inputValue()) as { tasks: { load: object } };
  expect(typed.tasks.load).toEqual({ dependsOn: ['extract'], job: 'report', input: '{{ run.day }}' });
  const before = await field.inputValue();
  await page.getByRole('group', { name: 'Insert' }).getByRole('button', { name: 'Approval' }).press('Enter');
  await page.keyboard.type('release');
  await page.getByLabel('Question').fill('Release it?');
  await page.keyboard.press('Enter');
  await eventually(
    () => lineOfCaret(page),
    (line) => line.includes('"release"'),
  );
  expect(JSON.parse(await field.inputValue()).tasks.release.approval).toEqual({ note: 'Release it?' });
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe(before);
  await page.keyboard.press('Tab');
  await page.locator('[data-part=workflow-editor] :focus:not(textarea)').waitFor();
  expect((await world.api('GET', '/v1/jobs?contains=release')).body.items).toHaveLength(1); // nothing is sent
}

/** In a long text with a long line, the colours stay behind the letters, and the caret stays in view. */
async function coloursStay({ page }: Given): Promise<void> {
  await begin(page);
  const tasks = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`t${index}`, {}]));
  const input = 'x'.repeat(400);
  await fieldOf(page).fill(textOf({ tasks: { ...tasks, long: { job: 'a', input } } }));
  const scrolled = () =>
    fieldOf(page).evaluate((field: HTMLTextAreaElement) => {
      const box = field.closest('.code-field')!;
      const [top, left] = [box.scrollTop > 20, box.scrollLeft > 20];
      return { inside: [field.scrollTop, field.scrollLeft], top, left };
    });
  const goes = async (keys: string, top: boolean, left: boolean) => {
    await page.keyboard.press(keys);
    await page.keyboard.type(' ');
    expect([keys, await scrolled()]).toEqual([keys, { inside: [0, 0], top, left }]);
  };
  await goes('Control+End', true, false);
  await fieldOf(page).evaluate((field: HTMLTextAreaElement) => {
    const at = field.value.indexOf('xxx');
    field.setSelectionRange(at, at);
  });
  await goes('End', true, true);
  await goes('Control+Home', false, false);
  expect(await page.locator('.code-text code > div').count()).toBeLessThan(100);
}

/** The graph is beside the text in a wide window and below it in a narrow one; a box leads to its task. */
async function graphBesideIt({ page }: Given): Promise<void> {
  await begin(page);
  const graph = page.locator('[data-part=workflow-preview]');
  await graph.locator('.box').nth(2).waitFor();
  const places = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    const [code, drawing] = [await page.locator('.code-field').boundingBox(), await graph.boundingBox()];
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    return [drawing!.x >= code!.x + code!.width, drawing!.y >= code!.y + code!.height];
  };
  expect(await places(390)).toEqual([false, true]);
  expect(await places(1_024)).toEqual([false, true]);
  expect(await places(1_440)).toEqual([true, false]);
  await graph.locator('.box').nth(1).click();
  expect(await lineOfCaret(page)).toContain('"load": {');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await graph.locator('.box.chosen', { hasText: 'extract' }).waitFor();
  await page.setViewportSize({ width: 1_280, height: 720 });
}

/** What each task would get, with a sample of parameters and outputs. */
async function sampleOfARun({ world, page }: Given): Promise<void> {
  await begin(page);
  const target = world.at('/200/5');
  const rows = '{{ tasks.extract.output.rows }}';
  const tasks = {
    extract: { target, input: { region: '{{ params.region }}' } },
    load: { dependsOn: ['extract'], target, input: { rows } },
  };
  await fieldOf(page).fill(textOf({ params: { region: 'eu' }, tasks }));
  const sample = page.locator('[data-part=workflow-sample]');
  await sample.locator('summary').click();
  await sample.getByText('"region": "eu"').waitFor();
  await sample
    .getByLabel('Sample of a run')
    .fill('{"params":{"region":"us"},"outputs":{"extract":{"rows":7}}}');
  await sample.getByText('"region": "us"').waitFor();
  await sample.getByText('"rows": 7').waitFor();
  await sample.getByLabel('Sample of a run').fill('{"params":{"regoin":"us"}}');
  await sample.getByText('Not checked: params.regoin').waitFor();
  expect(await page.getByRole('button', { name: 'Create' }).isEnabled()).toBe(true);
}

/** From the form to JSON and back: nothing is lost, also over two saves. What is no JSON is not sent. */
async function thereAndBack({ world, page }: Given): Promise<void> {
  const tasks = {
    one: { target: world.at('/200/5'), input: { big: 1e21, deep: [[{ x: null }]], text: '{{{{ no' } },
    two: { name: 'Second', dependsOn: [{ task: 'one', if: 'done' }], approval: { timeout: '2d' } },
  };
  const workflow = { tasks, params: { a: [1] }, maxParallel: 2, output: '{{ tasks.one.status }}' };
  await world.api('PUT', '/v1/jobs/there-and-back', { schedule: { type: 'none' }, workflow });
  const saved = async () => (await world.api('GET', '/v1/jobs/there-and-back')).body.workflow;
  const before = await saved();
  await open(page, world.system.url, '/jobs/there-and-back/definition');
  await fieldOf(page).waitFor();
  expect(JSON.parse(await fieldOf(page).inputValue())).toEqual(before);
  const save = async (name: string) => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The definition is saved.').last().waitFor();
  };
  await save('First');
  const whole = page.getByRole('textbox', { name: 'Definition', exact: true });
  await whole.fill((await whole.inputValue()).replace('"maxParallel": 2', '"maxParallel": 3'));
  await eventually(
    () => fieldOf(page).inputValue(),
    (text) => text.includes('"maxParallel": 3'),
  );
  await fieldOf(page).fill((await fieldOf(page).inputValue()).replace('"Second"', '"Third"'));
  expect(await whole.inputValue()).toContain('"Third"');
  await save('Second'); // the first save is no change of another
  const two = { ...before.tasks.two, name: 'Third' };
  const after = { ...before, maxParallel: 3, tasks: { ...before.tasks, two } };
  expect(await eventually(saved, ({ maxParallel }) => maxParallel === 3)).toEqual(after);
  await fieldOf(page).fill('{ "tasks": ');
  await page.getByLabel('Name', { exact: true }).fill('Broken');
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await fieldOf(page).evaluate((field: HTMLTextAreaElement) => field.validity.customError)).toBe(true);
  expect((await world.api('GET', '/v1/jobs/there-and-back')).body.name).toBe('Second');
}

/** The editor of workflows. */
export function workflowEditorTests(given: () => Given): void {
  inChromium('a workflow is written by keys: completed, inserted by a form, taken back', () =>
    byKeys(given()),
  );
  inChromium('the colours of a workflow stay behind its letters', () => coloursStay(given()));
  inChromium('the graph is beside the text of a workflow, or below it, and leads to its lines', () =>
    graphBesideIt(given()),
  );
  inChromium('what each task would get is shown for a sample', () => sampleOfARun(given()));
  inChromium('a workflow goes from form to JSON and back without a loss, and is saved twice', () =>
    thereAndBack(given()),
  );
}
