import type { Page } from 'playwright-core';

import { follow, inChromium } from '../../support/console/browser';
import { approvalOf } from '../../support/console/seed';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';

interface Given {
  world: ConsoleWorld;
  page: Page;
}

/** From the list over the grid of runs to a task that failed. */
async function toAFailedTask({ world, page }: Given): Promise<void> {
  await follow(page, '/workflows');
  await page.getByRole('link', { name: 'nightly' }).click();
  const cell = page.locator('[data-part=runs]').getByRole('link', { name: 'load: failed' });
  await cell.first().click();
  await page.waitForURL('**/executions/*?task=load');
  const task = page.locator('[data-part=task]');
  await task.locator('[data-part=task-attempts] tbody tr').nth(1).waitFor();
  expect(await task.locator('[data-part=task-input]').textContent()).toContain('{{ run.day }}');
  const run = await executionWith(world, 'nightly', 'failed');
  const { body } = await world.api('GET', `/v1/jobs/nightly/executions/${run}/tasks`);
  const rows = page.locator('[data-part=gantt] tbody tr');
  expect(await rows.count()).toBe(body.items.length);
  // What never ran says why in its row.
  expect(await rows.filter({ hasText: 'report' }).textContent()).toContain('blocked, by load');
  expect(await page.locator('[data-part=graph] .box').count()).toBe(body.items.length);
  expect(await rows.filter({ hasText: 'on the critical path' }).count()).toBeGreaterThan(1);
}

/** A run is watched while it is at work: its task is cancelled, and the run ends. */
async function cancelOfATask({ world, page }: Given): Promise<void> {
  await follow(page, '/jobs/open-end');
  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.locator('[data-part=run-dialog]');
  await dialog.getByText('Its tasks have their own inputs.').waitFor();
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await page.waitForURL('**/jobs/open-end/executions/*');
  await page.locator('[data-part=gantt]').getByRole('button', { name: 'one' }).click();
  const task = page.locator('[data-part=task]');
  await task.getByRole('button', { name: 'Cancel the task…' }).click();
  const asked = page.locator('[data-part=cancel-task-dialog]');
  await asked.getByRole('button', { name: 'Cancel the task' }).click();
  await page.locator('h1 .s-failed').waitFor();
  const { body } = await world.api('GET', '/v1/jobs/open-end/executions?limit=1');
  const tasks = await world.api('GET', `/v1/jobs/open-end/executions/${body.items[0].execId}/tasks`);
  const statuses = tasks.body.items.map(({ taskId, status }: Record<string, string>) => [taskId, status]);
  expect(statuses).toEqual([
    ['one', 'cancelled'],
    ['two', 'blocked'],
  ]);
}

/** A workflow is made in the form, with its graph beside it, and cancelled as a whole. */
async function newWorkflow({ world, page }: Given): Promise<void> {
  await follow(page, '/jobs/~new?kind=workflow');
  await page.getByLabel('Id made by the API').fill('made-flow');
  const target = { target: world.at('/200/5') };
  const field = page.getByRole('textbox', { name: 'Workflow', exact: true });
  await field.fill(JSON.stringify({ tasks: { a: target, b: { ...target, dependsOn: ['c'] } } }));
  await page.locator('[data-part=workflow-problems]').getByText('no task "c"').waitFor();
  const shows = (count: number) =>
    eventually(
      () => page.locator('[data-part=workflow-preview] .box').count(),
      (boxes) => boxes === count,
    );
  await shows(2);
  const cycle = { a: { ...target, dependsOn: ['b'] }, b: { ...target, dependsOn: ['a'] }, c: target };
  await field.fill(JSON.stringify({ tasks: cycle }));
  await page.locator('[data-part=workflow-problems]').getByText('is a cycle').waitFor();
  await shows(3);
  await field.fill(JSON.stringify({ tasks: { a: target, b: { ...target, dependsOn: ['a'] } } }));
  await shows(2);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/console/jobs/made-flow');
  await page.getByRole('link', { name: 'Tasks and runs' }).click();
  await page.locator('[data-part=versions]').getByText('Version 1').waitFor();
  expect((await world.api('GET', '/v1/jobs/made-flow')).body.workflow.tasks.b.dependsOn).toHaveLength(1);
}

/** From Today to an approval. The run is paused, goes on, is approved, and ends after a skip. */
async function approvalAndSkip({ world, page }: Given): Promise<void> {
  const { body } = await world.api('POST', '/v1/jobs/release/run', {});
  const { execId } = body;
  await approvalOf(world, execId);
  await follow(page, '/');
  await page.locator(`[data-part=waiting] a[href*="${encodeURIComponent(execId)}"]`).click();
  await page.waitForURL('**/executions/*?task=approve');
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause the run' }).click();
  await page.locator('h1 .s-held').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('h1 .s-held').waitFor({ state: 'detached' });
  const task = page.locator('[data-part=task]');
  await task.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.locator('[data-part=approve-dialog]');
  await dialog.getByLabel('Why?').fill('seen by QA');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await task.getByText('“seen by QA”').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('[data-part=task-actions]:focus').waitFor();
  await page.locator('[data-part=gantt]').getByRole('button', { name: 'cool' }).click();
  await task.getByRole('button', { name: 'Skip the task…' }).click();
  await page.locator('[data-part=skip-dialog]').getByRole('button', { name: 'Skip the task' }).click();
  await page.locator('h1 .s-succeeded').waitFor();
  const tasks = await world.api('GET', `/v1/jobs/release/executions/${execId}/tasks`);
  expect(tasks.body.items.map(({ status }: { status: string }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'skipped',
    'succeeded',
  ]);
  // The last task has started another job, and that execution leads back.
  await page.locator('[data-part=gantt]').getByRole('button', { name: 'publish' }).click();
  await task.getByRole('link', { name: 'invoice-42/' }).click();
  await page.waitForURL('**/jobs/invoice-42/executions/*');
  const parent = page.getByRole('link', { name: 'release / publish' });
  await parent.click();
  await page.waitForURL(`**/jobs/release/executions/${execId}?task=publish`);
}

/** An item of a fan-out is opened. Then an approval is rejected, and its task runs again. */
async function itemAndReject({ world, page }: Given): Promise<void> {
  const { execId } = (await world.api('POST', '/v1/jobs/release/run', {})).body;
  await approvalOf(world, execId);
  const ofApproval = () => world.api('GET', `/v1/jobs/release/executions/${execId}/tasks/approve`);
  const before = await ofApproval();
  await follow(page, `/jobs/release/executions/${execId}?task=parts`);
  const task = page.locator('[data-part=task]');
  await task.locator('[data-part=task-items]').getByRole('button', { name: '1', exact: true }).click();
  await task.locator('[data-part=task-item]').getByText('"green"').waitFor();
  await task.locator('[data-part=item-attempts] tbody tr').first().waitFor();

  await page.locator('[data-part=gantt]').getByRole('button', { name: 'approve' }).click();
  await task.getByRole('button', { name: 'Reject…' }).click();
  const reject = page.locator('[data-part=reject-dialog]');
  await reject.getByLabel('Why?').fill('not today');
  await reject.getByRole('button', { name: 'Reject' }).click();
  await task.getByText('“not today”').waitFor();
  await page.locator('h1 .s-failed').waitFor();
  await task.getByRole('button', { name: 'Retry the task…' }).click();
  await page.locator('[data-part=retry-task-dialog]').getByRole('button', { name: 'Retry' }).click();
  await task.getByText('waits for an approval').waitFor();
  const { body } = await ofApproval();
  expect(body.status).toBe('queued');
  expect(body.round).toBeGreaterThan(before.body.round);
}

/** Workflows, their runs and their tasks. */
export function workflowTests(given: () => Given): void {
  inChromium('from the list of workflows to a task that failed, and why the tasks after it did not run', () =>
    toAFailedTask(given()),
  );
  inChromium('a task of a run is cancelled, and the run ends', () => cancelOfATask(given()));
  inChromium('an approval is found on Today and given, a task is skipped, and the run ends', () =>
    approvalAndSkip(given()),
  );
  inChromium('an item is opened, an approval is rejected, and its task runs again', () =>
    itemAndReject(given()),
  );
  inChromium('a workflow is made in the form, with its graph beside it', () => newWorkflow(given()));
}
