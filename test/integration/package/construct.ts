import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { type DocumentedMember, documentedMembers } from '../../support/documented-members';
import { CHECKOUT_DIR, type UserFolder } from './user-folder';

const TYPED = ['--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'false'];

export const constructSuite = (user: () => UserFolder): void =>
  describe('the construct', () => {
    /** What the user of a construct has installed. */
    beforeAll(() => {
      for (const peer of ['aws-cdk-lib', 'constructs'])
        symlinkSync(join(CHECKOUT_DIR, 'node_modules', peer), join(user().dir, 'node_modules', peer));
    });
    const APP = `
const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Shop');
const jobs = new Quarterjack(stack, 'Jobs');
const target = jobs.addQueueTarget(new Queue(stack, 'Queue'));
new ScheduledJob(stack, 'Nightly', {
  quarterjack: jobs,
  job: { schedule: { type: 'cron', expression: '0 2 * * *' }, target },
});
app.synth();
`;
    const IMPORTS = [
      ['{ App, Stack }', 'aws-cdk-lib'],
      ['{ Queue }', 'aws-cdk-lib/aws-sqs'],
      ['{ Quarterjack, ScheduledJob }', '@quarterjack/cdk'],
    ];
    const imports = IMPORTS.map(([names, from]) => `import ${names} from '${from}';`).join('\n');

    const EVERY = `
const app = new App({ outdir: 'every.out' });
const stack = new Stack(app, 'Shop');
const jobs = new Quarterjack(stack, 'Jobs', { quotas: { liveRuns: 50, logBytesPerDay: 1e9, logBytesPerAttempt: 1e6 } });
const code = Code.fromInline('exports.handler = async () => {};');
const fn = new Function(stack, 'Fn', { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code });
const definitionBody = DefinitionBody.fromChainable(new Pass(stack, 'Step'));
jobs.grantManageJobs(fn, { role: 'operator' }).assertSuccess();
const targets = [
  jobs.addLambdaTarget(fn),
  jobs.addQueueTarget(new Queue(stack, 'Queue')),
  jobs.addTopicTarget(new Topic(stack, 'Topic')),
  jobs.addBusTarget(new EventBus(stack, 'Bus'), { source: 'shop', detailType: 'Due' }),
  jobs.addStateMachineTarget(new StateMachine(stack, 'Machine', { definitionBody })),
];
new ScheduledJob(stack, 'Nightly', { quarterjack: jobs, job: { schedule: 'rate(1 day)', targets } });
const metrics = [
  ...[jobs.metric('JobsRegistered'), jobs.metricLateness(), jobs.metricSuccesses(), jobs.metricFailures()],
  ...[jobs.metricCursorLag(), jobs.metricBacklog('highest', 'default', { label: 'urgent' })],
];
for (const [at, metric] of metrics.entries())
  new Alarm(stack, \`Alarm\${at}\`, { metric, threshold: 1, evaluationPeriods: 1 });
const team = new Stack(app, 'Team');
const { url, providerArn } = jobs;
const [executorRoleArn, providerRoleArn] = [jobs.executorRole.roleArn, jobs.providerRole.roleArn];
const known = { url, project: 'shop', executorRoleArn, providerArn, providerRoleArn, targetNamePrefix: 'shop-' };
const shared = Quarterjack.fromAttributes(team, 'Jobs', known);
const report = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code, functionName: 'shop-report' };
const theirs = shared.addLambdaTarget(new Function(team, 'Report', report));
new ScheduledJob(team, 'Daily', { quarterjack: shared, job: { schedule: 'rate(1 day)', target: theirs } });
const assembly = app.synth();
const { template } = assembly.getStackByName('Shop');
const own = Object.keys(template.Resources).filter((id) => /^(Alarm\\d|Nightly)/.test(id));
console.log(own.length, 'and', Object.keys(assembly.getStackByName('Team').template.Resources).length);
`;
    const every = [
      ...IMPORTS,
      ['{ Alarm }', 'aws-cdk-lib/aws-cloudwatch'],
      ['{ EventBus }', 'aws-cdk-lib/aws-events'],
      ['{ Code, Function, Runtime }', 'aws-cdk-lib/aws-lambda'],
      ['{ Topic }', 'aws-cdk-lib/aws-sns'],
      ['{ DefinitionBody, Pass, StateMachine }', 'aws-cdk-lib/aws-stepfunctions'],
    ];
    const everyMethod = every.map(([names, from]) => `import ${names} from '${from}';`).join('\n') + EVERY;

    test('has the types of a job, and none of the rest of the API', () => {
      const types = join(user().dir, 'node_modules/@quarterjack/cdk/types/client');
      const [schema, named] = ['schema', 'types'].map((file) =>
        readFileSync(join(types, `${file}.d.ts`), 'utf8'),
      );
      expect(named!.match(/^export type \w+/gm)).toEqual(['export type JobDefinition']);
      expect(Buffer.byteLength(schema!)).toBeLessThan(20_000);
    });

    test('an app of another project synthesizes with the bundles of the package, and without esbuild', () => {
      user().write('app.mjs', imports + APP);
      // The CDK validates the app of each method, which has all of this one. It takes five seconds.
      user().run('env', 'CDK_VALIDATION=false', process.execPath, 'app.mjs');
      const assets = JSON.parse(readFileSync(join(user().dir, 'cdk.out/Shop.assets.json'), 'utf8')) as {
        files: Record<string, { source: { path: string; packaging: string } }>;
      };
      const zips = Object.values(assets.files).filter(({ source }) => source.path.endsWith('.zip'));
      expect(zips).toHaveLength(12);
      const listed = execFileSync('python3', [
        '-m',
        'zipfile',
        '-l',
        join(user().dir, 'cdk.out', zips[0]!.source.path),
      ]);
      expect(String(listed)).toContain('index.mjs');
    });

    test('an app that calls each method synthesizes', () => {
      user().write('every.mjs', everyMethod);
      // A job and six alarms; a job, and a function with its role and its permission.
      expect(user().run(process.execPath, 'every.mjs')).toBe('7 and 4\n');
    });

    test('an app in CommonJS finds it too', () => {
      const required = IMPORTS.map(([names, from]) => `const ${names} = require('${from}');`).join('\n');
      user().write('app.cjs', `${required}console.log(typeof Quarterjack, typeof ScheduledJob);`);
      expect(user().run(process.execPath, 'app.cjs')).toBe('function function\n');
    });

    test('each public member has a comment, and each optional one its default', () => {
      const types = join(user().dir, 'node_modules/@quarterjack/cdk/types/lib');
      const members = readdirSync(types).flatMap((file) =>
        documentedMembers(readFileSync(join(types, file), 'utf8')),
      );
      const names = members.map(({ owner, name }) => `${owner}.${name}`);
      expect(names).toEqual(
        expect.arrayContaining([
          'QuotaProps.liveRuns',
          'Quarterjack.grantManageJobs',
          'SigningProps.legacy',
          'ScheduledJobProps.jobId',
        ]),
      );
      const isBare = ({ doc, isOptional, standard }: DocumentedMember) =>
        doc === '' || doc.startsWith('@') || (isOptional && standard === undefined);
      expect(names.filter((_, at) => isBare(members[at]!))).toEqual([]);
    });

    test('TypeScript knows its properties, methods and the jobs, and rejects others', () => {
      const wrong = `
// @ts-expect-error: no such property
new Quarterjack(stack, 'Typo', { shardCont: 4 });
// @ts-expect-error: no such schedule
new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job: { schedule: { type: 'hourly' }, target } });
jobs.grantManageJobs(null!, { role: 'viewer' });
export const p99 = jobs.metricLateness();
`;
      user().write('app.mts', imports + APP + wrong);
      user().write('every.mts', everyMethod);
      // With the app of each method: most of the work is the types of the CDK, which both have.
      expect(user().typeReport(['app.mts', 'every.mts'], ...TYPED)).toEqual([]);
    });
  });
