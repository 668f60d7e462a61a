/**
 * Who may import whom. Time runs from the left to the right, and imports only to the left:
 *
 *     contracts ← domain ← store, queue, clock, telemetry, targets ← dispatch ← a stage ← its handler.ts
 *
 * `test/integration/tools/architecture.test.ts` breaks each of these rules once and sees it reported.
 */
const INTERFACES = 'batching/|clock/clock|clock/chance|store/[^/]+$|queue/[^/]+$|telemetry/telemetry';
const core = (rooms) => `^lambdas/core/(${rooms})`;
/** As it resolves, and as it is written where only its types exist. */
const npm = (names) => [`^node_modules/(?:@types/|)(?:${names})`, `^(?:${names})`];

/** A room of `core/` and all that it may import of `lambdas/`. */
const room = (name, path, mayImport) => ({
  name: `${name}-imports`,
  comment: `${path} may import ${mayImport} of core, and no stage`,
  severity: 'error',
  from: { path },
  to: { path: '^lambdas/', pathNot: [core(mayImport)] },
});

/** A package and the only places that may know it. */
const only = (name, packages, places) => ({
  name,
  comment: `${packages} belongs in ${places.join(', ')} alone`,
  severity: 'error',
  from: { path: '^(bin|lib|lambdas|local|client|cli|examples|bench|test)/', pathNot: places },
  to: { path: npm(packages) },
});

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-cycle', 'whatever needs each other is one thing, or lacks a third', {}, { circular: true }),

    room('contracts', '^lambdas/core/contracts/(?!http/)', 'contracts/(?!http/)'),
    room('http-contract', '^lambdas/core/contracts/http/', 'contracts/|domain/'),
    room('domain', core('domain/'), 'contracts/(?!http/)|domain/|clock/clock'),
    room('clock', core('clock/'), 'clock/'),
    room('batching', core('batching/'), 'batching/'),
    room(
      'interfaces',
      '^lambdas/core/(store|queue|telemetry)/[^/]+$',
      `contracts/(?!http/)|domain/|${INTERFACES}`,
    ),
    room('targets', core('targets/'), `contracts/(?!http/)|domain/|targets/|${INTERFACES}`),
    room('dynamo', core('store/dynamo/'), `contracts/(?!http/)|domain/|store/|${INTERFACES}`),
    room('sqs', core('queue/sqs/'), `contracts/(?!http/)|domain/|queue/|${INTERFACES}`),
    room('events', core('events/'), `contracts/(?!http/)|domain/|events/|${INTERFACES}`),
    room('dispatch', core('dispatch/'), `contracts/(?!http/)|domain/|dispatch/|targets/|${INTERFACES}`),
    room('runtime', core('runtime/'), '[^/]+/'),

    forbid(
      'stages-meet-in-tables-and-queues',
      'no stage imports another: what two of them do is a room of core',
      { path: '^lambdas/(?!core/)([^/]+)/' },
      { path: '^lambdas/', pathNot: ['^lambdas/$1/', '^lambdas/core/'] },
    ),
    forbid(
      'handlers-alone-know-the-machine',
      'a stage takes its stores, queues, clock and runtime as arguments; its handler.ts makes them',
      { path: '^lambdas/(?!core/)', pathNot: '/handler\\.ts$' },
      { path: core('store/[^/]+/|queue/[^/]+/|clock/system|runtime/') },
    ),
    forbid(
      'handlers-are-entries',
      'a handler.ts is what Lambda calls; nothing else does',
      { pathNot: '^test/' },
      { path: '^lambdas/.*/handler\\.ts$' },
    ),

    forbid(
      'lib-shares-contracts-alone',
      'synth time and run time meet in core/contracts',
      { path: '^(bin|lib)/' },
      { path: '^(lambdas|local|examples|bench)/', pathNot: core('contracts/(?!http/)') },
    ),
    forbid(
      'local-knows-the-template-alone',
      'a local run that knew the code could pass where AWS would not',
      { path: '^local/' },
      { path: '^(lambdas|lib|bin|examples|bench)/' },
    ),
    forbid(
      'lambdas-know-no-surroundings',
      'what runs in AWS needs neither the stack that deploys it nor the machine that imitates it',
      { path: '^lambdas/' },
      { path: '^(bin|lib|local|examples|bench|scripts)/' },
    ),
    forbid(
      'tools-know-http-alone',
      'what users install talks to the API as anyone else does',
      { path: '^(client|cli)/' },
      { path: '^(bin|lib|lambdas|local|examples|bench|scripts)/' },
    ),
    forbid(
      'client-stands-alone',
      'the command line is built on the client, never the other way round',
      { path: '^client/' },
      { path: '^cli/' },
    ),
    forbid(
      'product-needs-no-tools',
      'client and command line are for users of the API; the system behind it does without',
      { path: '^(bin|lib|lambdas|local)/' },
      { path: '^(client|cli)/' },
    ),
    forbid(
      'nothing-imports-tests',
      'what the product needs is product',
      { pathNot: '^(test|bench)/' },
      { path: '^test/' },
    ),
    forbid(
      'bench-shares-test-support',
      'a benchmark may run on the same virtual time and tables as the tests, and on nothing else of theirs',
      { path: '^bench/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),

    only('lambda-types-at-the-edge', '@middy/|aws-lambda', ['/handler\\.ts$', core('runtime/'), '^test/']),
    only('cdk-at-synth-time', 'aws-cdk-lib|constructs/', ['^(bin|lib)/', '^test/template/']),
    only('nag-in-template-tests', 'cdk-nag', ['^test/template/']),
    only('aws-sdk-behind-interfaces', '@aws-sdk/|@smithy/', [
      core('store/dynamo/|queue/sqs/|runtime/'),
      '^lambdas/executor/targets/',
      '^cli/import/eventbridge/',
      '^(local|test|bench)/',
    ]),
    only('powertools-behind-telemetry', '@aws-lambda-powertools/', [core('telemetry/|runtime/'), '^test/']),
    forbid(
      'small-zod-at-start',
      'a schema of zod/mini is made in a third of the time, and every cold start makes all that a function has',
      { path: '^lambdas/', pathNot: core('contracts/http/(answers\\.ts$|openapi/)') },
      { path: '^node_modules/zod/(v4/)?index' },
    ),
    forbid(
      'no-development-package-at-run-time',
      'a bundle holds what package.json lists as a dependency',
      { path: '^(bin|lib|lambdas|client|cli)/', pathNot: '^cli/bin\\.cjs$' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: npm('aws-lambda') },
    ),
  ],
  options: {
    parser: 'swc', // TypeScript 7 has no API to parse with
    tsPreCompilationDeps: true, // imports of types count too
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(node_modules/.*\\.d\\.ts$|test/fixtures|dist|cdk\\.out|coverage|client/generator/|\\.)',
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
