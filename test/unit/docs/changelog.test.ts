import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Before the first release there is no other version to compare with: what 0.1.0 is fits on one page. */
const MOST_LINES = 60;

test('before the first release, the changelog says what it is, and lists no changes', () => {
  const text = readFileSync(join(__dirname, '../../../CHANGELOG.md'), 'utf8');
  expect(text).not.toMatch(/^### /m);
  expect(text.split('\n').length).toBeLessThan(MOST_LINES);
});
