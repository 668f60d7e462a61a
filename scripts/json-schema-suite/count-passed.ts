import { checkSchema } from '../../lambdas/core/json-schema/check-schema';
import { evaluate } from '../../lambdas/core/json-schema/evaluate';
import type { Schema } from '../../lambdas/core/json-schema/keywords';

/** A file of https://github.com/json-schema-org/JSON-Schema-Test-Suite. */
export interface SuiteFile {
  name: string;
  groups: readonly {
    description: string;
    schema: Schema;
    tests: readonly { description: string; data: unknown; valid: boolean }[];
  }[];
}

export interface SuiteCount {
  passed: number;
  /** The schema has a keyword that is refused, or is not checked. */
  unsupported: number;
  failed: string[];
}

/** So many passed at commit 44401e0c of the suite, of August 2026. The number may not fall. */
export const LEAST_PASSED = 1_186;

/** What is not counted: the suite takes formats for remarks here, and decodes international names. */
const LEFT_OUT: readonly { name: string; description?: string }[] = [
  { name: 'format.json' },
  { name: 'optional/format/hostname.json', description: 'validation of A-label (punycode) host names' },
];

const isLeftOut = (name: string, description: string): boolean =>
  LEFT_OUT.some((one) => one.name === name && (one.description ?? description) === description);

/** How many tests of the suite use only supported keywords, and pass. */
export function countPassed(files: readonly SuiteFile[]): SuiteCount {
  const count: SuiteCount = { passed: 0, unsupported: 0, failed: [] };
  for (const { name, groups } of files)
    for (const { description, schema, tests } of groups) {
      if (isLeftOut(name, description)) continue;
      const { faults, unchecked } = checkSchema(schema);
      if (faults.length + unchecked.length > 0) {
        count.unsupported += tests.length;
        continue;
      }
      for (const test of tests) {
        if ((evaluate(schema, test.data).is === 'fits') === test.valid) count.passed += 1;
        else count.failed.push(`${name}: ${description}: ${test.description}`);
      }
    }
  return count;
}
