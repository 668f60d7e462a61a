import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { CHECKOUT_DIR, type UserFolder } from './user-folder';

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

    test('an app of another project synthesizes with the bundles of the package, and without esbuild', () => {
      user().write('app.mjs', imports + APP);
      user().run(process.execPath, 'app.mjs');
      const assets = JSON.parse(readFileSync(join(user().dir, 'cdk.out/Shop.assets.json'), 'utf8')) as {
        files: Record<string, { source: { path: string; packaging: string } }>;
      };
      const zips = Object.values(assets.files).filter(({ source }) => source.path.endsWith('.zip'));
      expect(zips).toHaveLength(11);
      const listed = execFileSync('python3', [
        '-m',
        'zipfile',
        '-l',
        join(user().dir, 'cdk.out', zips[0]!.source.path),
      ]);
      expect(String(listed)).toContain('index.mjs');
    });

    test('an app in CommonJS finds it too', () => {
      const required = IMPORTS.map(([names, from]) => `const ${names} = require('${from}');`).join('\n');
      user().write('app.cjs', `${required}console.log(typeof Quarterjack, typeof ScheduledJob);`);
      expect(user().run(process.execPath, 'app.cjs')).toBe('function function\n');
    });

    test('TypeScript knows its properties and the jobs, and rejects others', () => {
      const wrong = `
// @ts-expect-error: no such property
new Quarterjack(stack, 'Typo', { shardCont: 4 });
// @ts-expect-error: no such schedule
new ScheduledJob(stack, 'Bad', { quarterjack: jobs, job: { schedule: { type: 'hourly' }, target } });
jobs.grantManageJobs(null!, { role: 'viewer' });
export const p99 = jobs.metricLateness();
`;
      user().write('app.mts', imports + APP + wrong);
      const flags = ['--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'false'];
      expect(() => user().typeCheck('app.mts', ...flags)).not.toThrow();
    });
  });
