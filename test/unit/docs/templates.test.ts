import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FILTERS } from '../../../lambdas/core/templates/filters/filters';
import { Renderer } from '../../../lambdas/core/templates/render';
import { RUN_FIELDS } from '../../../lambdas/core/templates/roots';
import type { Json } from '../../../lambdas/core/templates/syntax';
import { zoneOf } from '../../../lambdas/core/schedule/zone';

const page = readFileSync(join(__dirname, '../../../docs/templates.md'), 'utf8');
const [, values = ''] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
const roots = JSON.parse(values) as Record<string, Json>;
const examples = [...page.matchAll(/^(\{\{ .* \}\}) +→ (.+)$/gm)].map(([, text, result]) => [text!, result!]);

it.each(examples)('the page says what %s becomes', (text, result) => {
  expect(new Renderer({ roots, zone: zoneOf('Europe/Berlin') }).json(text)).toEqual(JSON.parse(result));
});

it('the page has an example of each filter', () => {
  const used = new Set(
    examples.flatMap(([text]) => [...text!.matchAll(/\| (\w+)/g)].map(([, name]) => name)),
  );
  expect([...FILTERS.keys()].filter((name) => !used.has(name))).toEqual([]);
});

it('the page lists each field of run', () => {
  for (const field of RUN_FIELDS) expect(page).toContain(`| \`${field}\``);
});
