import type { Page } from 'playwright-core';

import { AFTER_FAILURE, MISFIRES, OVERLAPS, REASONS, TRIGGERS } from '../../../console/parts/words';
import { follow } from '../../support/console/browser';
import { type ConsoleWorld, executionWith } from '../../support/console/world';

/** Codes of the API that are no words: a page has to say them otherwise. */
const CODES = [REASONS, TRIGGERS, MISFIRES, OVERLAPS, AFTER_FAILURE]
  .flatMap((words) => Object.keys(words))
  .filter((code) => code.includes('-'));

/** The codes that the text of a page has. What a user edits or has typed is not the text of the page. */
export async function rawCodesOf(page: Page): Promise<string[]> {
  const text = await page.getByRole('main').evaluate((main: HTMLElement) => {
    const copy = main.cloneNode(true) as HTMLElement;
    for (const typed of copy.querySelectorAll('select, textarea, pre, code')) typed.remove();
    return copy.textContent ?? '';
  });
  return CODES.filter((code) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text));
}

/** Reasons, policies and triggers are words of the console, wherever a job and its executions are shown. */
export async function wordsForCodes(world: ConsoleWorld, page: Page): Promise<void> {
  const failed = await executionWith(world, 'nightly', 'failed');
  for (const [path, part] of [
    ['/jobs/invoice-42', 'target'],
    [`/jobs/nightly/executions/${failed}`, 'gantt'],
  ] as const) {
    await follow(page, path);
    await page.locator(`[data-part=${part}]`).waitFor();
    expect([path, await rawCodesOf(page)]).toEqual([path, []]);
  }
}
