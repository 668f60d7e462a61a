import type { Mutant } from './mutant';

const VERIFY = 'lambdas/core/api-keys/verify-key.ts';
const VERIFY_TEST = 'test/unit/core/api-keys/verify-key.test.ts';
const AUDIT_TEST = 'test/unit/api/audit/audit.test.ts';
const KEYS_TEST = 'test/unit/api/api-keys/api-keys.test.ts';

export const apiKeyMutants: readonly Mutant[] = [
  {
    name: 'the secret of an API key is not compared',
    file: VERIFY,
    find: 'if (!key || !isEqual) return',
    replace: 'void isEqual;\n  if (!key) return',
    killedBy: VERIFY_TEST,
  },
  {
    name: 'an unknown API key is rejected before its hash is compared',
    file: VERIFY,
    find: '  const given = digestOf(text);\n',
    replace: '  if (!key) return { problem: NOT_VALID };\n  const given = digestOf(text);\n',
    killedBy: VERIFY_TEST,
    test: 'as much work',
  },
  {
    name: 'an API key never expires',
    file: VERIFY,
    find: 'if (nowMs >= key.expiresAtMs)',
    replace: 'if (nowMs < 0)',
    killedBy: VERIFY_TEST,
  },
  {
    name: 'an API key has rights that its creator lacks',
    file: 'lambdas/api/api-keys/api-keys.ts',
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length > 9)',
    killedBy: KEYS_TEST,
  },
  {
    name: 'the API key of another project is revoked',
    file: 'lambdas/api/api-keys/api-keys.ts',
    find: 'if (key?.project !== request.project) throw',
    replace: 'if (!key) throw',
    killedBy: KEYS_TEST,
    test: 'another project',
  },
  {
    name: 'a change is made before its audit record is written',
    file: 'lambdas/api/audit/audited.ts',
    find: "  await audit.record(project, { ...record, outcome: 'attempted' });\n",
    replace: '',
    killedBy: AUDIT_TEST,
  },
  {
    name: 'each denied request is written, however many there are',
    file: 'lambdas/core/store/audit-store.ts',
    find: 'if (written.has(denial)) return;',
    replace: '',
    killedBy: AUDIT_TEST,
    test: 'shares its record',
  },
];
