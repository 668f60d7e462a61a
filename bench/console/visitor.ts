import type { Browser, Page } from 'playwright-core';

/** A page of its own context, signed in as after a reload: it has a refresh token. */
export async function visitor(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  await context.addInitScript(
    `sessionStorage.setItem('quarterjack.refresh', '{"refreshToken":"made-up","family":"bench"}')`,
  );
  return context.newPage();
}

/** Waits until a page has its heading and all of its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}
