const { builtinModules } = require('node:module');

/**
 * Which file may import which. `test/integration/tools/architecture.test.ts` breaks each of these rules once,
 * and expects the report.
 *
 * The rooms of `core/`, from the lowest floor to the highest. A room may import the floors below its own.
 */
const FLOORS = [
  { contracts: 'contracts/' },
  { clock: 'clock/(?!system)' },
  { async: 'async/' },
  { schedule: 'schedule/' },
  { templates: 'templates/', 'json-schema': 'json-schema/' },
  { domain: 'domain/' },
  { quotas: 'quotas/', http: 'http/' },
  {
    interfaces:
      'store/[^/]+$|queue/(?:execution-queue|request-queue|queue-admin)|telemetry/|errors\\.|is-retryable\\.',
  },
  { deps: 'deps\\.' },
  {
    'api-keys': 'api-keys/',
    delivery: 'delivery/',
    events: 'events/',
    queue: 'queue/[^/]+$',
    dynamo: 'store/dynamo/',
    sqs: 'queue/sqs/',
  },
  { shards: 'shards/' },
  { history: 'history/' },
  { gates: 'gates/', alerts: 'alerts/' },
  { ending: 'ending/' },
  { dispatch: 'dispatch/' },
  { attempts: 'attempts/', 'job-writes': 'job-writes/' },
  { platform: 'platform/|clock/system' },
];
/** Rooms that only the composition may import: they know AWS. */
const IMPLEMENTATIONS = ['dynamo', 'sqs'];

const core = (rooms) => `^lambdas/core/(${rooms})`;
/** As it resolves, and as it is written where only its types exist. */
const npm = (names) => [`^node_modules/(?:@types/|)(?:${names})`, `^(?:${names})`];

/** One rule for each room: it may import itself, the floors below, and no stage. */
const roomRules = FLOORS.flatMap((floor, level) =>
  Object.entries(floor).map(([room, path]) => {
    const below = FLOORS.slice(0, level).flatMap((lower) =>
      Object.entries(lower).flatMap(([name, lowerPath]) =>
        IMPLEMENTATIONS.includes(name) && room !== 'platform' ? [] : [lowerPath],
      ),
    );
    const mayImport = [
      ...below,
      ...(room === 'contracts' || room === 'http' ? [] : ['clock/clock']),
      path,
    ].join('|');
    return {
      name: `${room}-imports`,
      comment: `core/${room} may import the floors below it, and no stage`,
      severity: 'error',
      from: {
        path: core(path),
        ...(room === 'queue' && { pathNot: core('queue/(?:execution-queue|request-queue|queue-admin)') }),
      },
      to: { path: '^lambdas/', pathNot: [core(mayImport)] },
    };
  }),
);
/** A module of Node.js itself. */
const NODE_MODULE = `^(node:)?(${builtinModules.join('|')})(/|$)`;

/** A package and the only places that may know it. */
const only = (name, packages, places) => ({
  name,
  comment: `${packages} belongs in ${places.join(', ')} alone`,
  severity: 'error',
  from: { path: '^(bin|lib|lambdas|local|client|cli|console|examples|bench|test)/', pathNot: places },
  to: { path: npm(packages) },
});

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-cycle', 'whatever needs each other is one thing, or lacks a third', {}, { circular: true }),

    ...roomRules,

    forbid(
      'one-ender',
      'the writes that end an execution are called in core/ending alone, so that its follow-ups come after them',
      {
        path: '^(lambdas|bench)/',
        pathNot: core('ending/|deps\\.|store/dynamo/executions/|store/execution-ends|platform/'),
      },
      { path: core('store/execution-ends') },
    ),
    forbid(
      'the-kernel-knows-no-listener',
      'what fires, claims and ends executions asks its ports; what stands behind them is composed in platform/',
      { path: core('dispatch/|attempts/|ending/[^/]+$') },
      { path: core('ending/runs/|gates/|alerts/|http/|templates/|job-writes/') },
    ),
    forbid(
      'ends-without-follow-ups',
      'runs end this way, and the tasks and children that end with them; whatever else ends has its follow-ups',
      { path: '^(lambdas|bench)/', pathNot: core('ending/(?:end-execution\\.|start-runs\\.|runs/)') },
      { path: core('ending/end-without-follow-ups') },
    ),
    forbid(
      'stages-meet-in-tables-and-queues',
      'no stage imports another: what two of them do is a room of core',
      { path: '^lambdas/(?!core/|worker/)([^/]+)/' },
      { path: '^lambdas/', pathNot: ['^lambdas/$1/', '^lambdas/core/'] },
    ),
    forbid(
      'the-worker-stage-is-a-part-of-the-api',
      'claims are requests of the API that may wait; a function of their own serves them, by the code of the API',
      { path: '^lambdas/worker/' },
      {
        path: '^lambdas/',
        pathNot: ['^lambdas/worker/', '^lambdas/api/(?!handler|handle-request|operations)', '^lambdas/core/'],
      },
    ),
    forbid(
      'handlers-alone-know-the-machine',
      'a stage takes its stores, queues, clock and runtime as arguments; its handler.ts makes them',
      { path: '^lambdas/(?!core/)', pathNot: '/handler\\.ts$' },
      { path: core('store/[^/]+/|queue/[^/]+/|clock/system|platform/') },
    ),
    forbid(
      'only-the-executor-calls-targets',
      'the calling half of delivery/ loads the SDK clients of every target type; other stages only check targets',
      {
        path: '^lambdas/',
        pathNot: [
          '^lambdas/executor/',
          '^lambdas/watcher/handler\\.ts$',
          '^lambdas/exporter/collector\\.ts$',
          core('delivery/call/|delivery/errands/'),
        ],
      },
      { path: core('delivery/call/') },
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
      { path: '^(bin|lib)/', pathNot: '^lib/(?:job|schema)-faults\\.ts$' },
      { path: '^(lambdas|local|examples|bench)/', pathNot: core('contracts/') },
    ),
    forbid(
      'job-faults-knows-the-rules-of-definitions',
      'a stack checks its jobs by what the API checks them by, and runs nothing of it',
      { path: '^lib/(?:job|schema)-faults\\.ts$' },
      {
        path: '^(lambdas|local|examples|bench)/',
        pathNot: core(
          '(contracts|domain|schedule|templates|json-schema|http|delivery/targets|delivery/job-templates)/',
        ),
      },
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
      'what users install talks to the API as anyone else does; how names are compared, and those of actions, are no part',
      { path: '^(client|cli)/', pathNot: '^cli/bin\\.cjs$' },
      {
        path: '^(bin|lib|lambdas|local|examples|bench|scripts)/',
        pathNot: core('contracts/(suggestion|action-names|allowed-actions)\\.'),
      },
    ),
    forbid(
      'client-stands-alone',
      'the command line is built on the client, never the other way round',
      { path: '^client/' },
      { path: '^cli/' },
    ),
    forbid(
      'client-runs-in-browsers',
      'only client/deliveries needs Node.js; client/index.ts is the entry for Node.js, client/browser.ts for browsers',
      { path: '^client/', pathNot: '^client/(deliveries/|jobs-in-code/|index\\.ts$)' },
      { path: ['^client/(deliveries/|index\\.ts$)', NODE_MODULE] },
    ),
    forbid(
      'jobs-in-code-run-anywhere',
      'what jobs in code are served by needs web APIs alone, so it takes of deliveries/ what needs no Node.js',
      {
        path: '^client/(jobs-in-code/|deliveries/(check-delivery|delivery|delivery-headers|fence-guard|signed-texts)\\.)',
      },
      { path: ['^client/(deliveries/(attempt|signatures|verify-delivery)\\.|index\\.ts$)', NODE_MODULE] },
    ),
    forbid(
      'product-needs-no-tools',
      'client and command line are for users of the API; the system behind it does without, but for a table',
      { path: '^(bin|lambdas|local)/' },
      { path: '^(client|cli)/', pathNot: '^client/ics/windows-zones\\.ts$' },
    ),
    forbid(
      'constructs-know-the-shape-of-jobs',
      'programs that make stacks define jobs as those that call the API do, and need nothing else of the client',
      { path: '^lib/' },
      { path: '^(client|cli)/', pathNot: '^client/types\\.ts$' },
    ),
    forbid(
      'console-knows-http-and-schedules',
      'the console calls the API through the client, counts times as the functions do, reads .ics as the CLI does',
      { path: '^console/' },
      {
        path: '^(bin|lib|lambdas|local|cli|examples|bench|scripts|client)/',
        pathNot: ['^client/browser\\.ts$', core('schedule/'), '^client/ics/read-ics\\.ts$'],
      },
    ),
    forbid(
      'nothing-imports-the-console',
      'what a browser runs is of no use elsewhere',
      { path: '^(bin|lib|lambdas|local|client|cli|examples|bench)/' },
      { path: '^console/' },
    ),
    forbid(
      'nothing-imports-tests',
      'what the product needs is product',
      { pathNot: '^(test|bench)/|^jest\\.config\\.js$' },
      { path: '^test/' },
    ),
    forbid(
      'bench-shares-test-support',
      'a benchmark may run on the same virtual time and tables as the tests, and on nothing else of theirs',
      { path: '^bench/' },
      { path: '^test/', pathNot: '^test/support/' },
    ),

    only('browser-packages-in-the-console', 'preact|@preact/|wouter', ['^console/']),
    only('lambda-types-at-the-edge', '@middy/|aws-lambda', ['/handler\\.ts$', core('platform/'), '^test/']),
    only('cdk-at-synth-time', 'aws-cdk-lib|constructs/', [
      '^(bin|lib)/',
      '^test/template/',
      '^examples/(jobs-in-code|python-lambda)/stack\\.ts$',
    ]),
    only('nag-in-template-tests', 'cdk-nag', ['^test/template/']),
    only('aws-sdk-behind-interfaces', '@aws-sdk/|@smithy/', [
      core('store/dynamo/|queue/sqs/|platform/|delivery/call/|delivery/errands/|is-retryable\\.'),
      '^cli/import/eventbridge/',
      '^(local|test|bench)/',
    ]),
    only('powertools-behind-telemetry', '@aws-lambda-powertools/', [core('telemetry/|platform/'), '^test/']),
    forbid(
      'small-zod-at-start',
      'a schema of zod/mini is made in a third of the time, and every cold start makes all that a function has',
      { path: '^lambdas/', pathNot: core('http/openapi/') },
      { path: '^node_modules/zod/(v4/)?index' },
    ),
    forbid(
      'no-development-package-at-run-time',
      'a bundle holds what package.json lists as a dependency',
      { path: '^(bin|lib|lambdas|client|cli)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: npm('aws-lambda') },
    ),
  ],
  options: {
    parser: 'swc', // TypeScript 7 has no API to parse with
    tsPreCompilationDeps: true, // imports of types count too
    combinedDependencies: true, // `cli/package.json` has none of its own
    doNotFollow: { path: 'node_modules' },
    exclude: {
      // swc reads no JSX here; the linter holds the imports of these files.
      path: '^(node_modules/.*\\.d\\.ts$|console/.*\\.tsx$|test/fixtures|dist|cdk\\.out|coverage|client/generator/|\\.)',
    },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
