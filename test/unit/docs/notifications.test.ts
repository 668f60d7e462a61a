import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CALLED_TYPES } from '../../../lambdas/core/http/target';

const page = readFileSync(join(__dirname, '../../../docs/notifications.md'), 'utf8');

it('the page says which targets of jobs a notification may have', () => {
  const [, rule = ''] = /^\| `target` +\| (.*?) as of a job/m.exec(page) ?? [];
  expect([...rule.matchAll(/`(\w+)`/g)].map(([, type]) => type)).toEqual(CALLED_TYPES);
});
