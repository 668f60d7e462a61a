import type { Mutant } from './mutant';

const DELIVERY = 'lambdas/core/delivery/delivery.ts';
const DELIVERY_TEST = 'test/unit/core/delivery/delivery.test.ts';
const SIGNED_HEADERS = 'lambdas/core/delivery/signing/signed-headers.ts';
const SIGNED_HEADERS_TEST = 'test/unit/core/delivery/signing/signed-headers.test.ts';
const SECRETS_TEST = 'test/unit/api/secrets/signing-secret.test.ts';

export const signingMutants: readonly Mutant[] = [
  {
    name: 'the legacy secret signs headers too',
    file: DELIVERY,
    find: '[SIGNATURE_HEADER]: host.map(',
    replace: '[SIGNATURE_HEADER]: [...host, ...legacy].map(',
    killedBy: DELIVERY_TEST,
  },
  {
    name: 'signed headers are sorted by their lines',
    file: SIGNED_HEADERS,
    find: '.toSorted() // names are ASCII, so this is the order of their bytes\n    .map((name) => `${name}:${headers[name]}\\n`);',
    replace: '.map((name) => `${name}:${headers[name]}\\n`)\n    .toSorted();',
    killedBy: SIGNED_HEADERS_TEST,
  },
  {
    name: 'signed headers do not cover the id of the delivery',
    file: SIGNED_HEADERS,
    find: "`${headers['webhook-id']}\\n`, ",
    replace: '',
    killedBy: SIGNED_HEADERS_TEST,
  },
  {
    name: 'the secrets of all hosts of a project are one',
    file: 'lambdas/core/delivery/signing/standard-webhooks.ts',
    find: '`host-signing-secret/${version}/${host}/${userId}`',
    replace: '`host-signing-secret/${version}/${userId}`',
    killedBy: SECRETS_TEST,
    test: 'differs from those of other hosts',
  },
  {
    name: 'the legacy secret signs again after a rotation under way',
    file: 'lambdas/core/domain/secret-versions.ts',
    find: '  version: version + 1,\n  rotatedAtMs: [],',
    replace: '  version,\n  rotatedAtMs: [],',
    killedBy: SECRETS_TEST,
    test: 'wins against a rotation',
  },
];
