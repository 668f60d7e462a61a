import { CDK, CLI, CLIENT, REPOSITORY } from './names.mjs';

/** What users of the construct have: the program that makes a stack has one CDK. */
export const PEERS = ['aws-cdk-lib', 'constructs'];

const DOCUMENTS = ['CHANGELOG.md', 'THIRD-PARTY-LICENSES.txt'];

/** The `package.json` of each package, by its folder. `root` is that of the checkout. */
export const manifestsOf = (root) => ({
  client: {
    ...common(root, CLIENT, 'Client, workers and deliveries of Quarterjack, a job scheduler for AWS', [
      ...['client', 'worker', 'webhook'],
    ]),
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    bin: { quarterjack: 'bin.js' },
    exports: {
      '.': {
        browser: { types: './browser.d.mts', default: './browser.mjs' },
        types: './index.d.ts',
        default: './index.js',
      },
      './jobs': entry('jobs'),
      './worker': entry('worker'),
      './client': entry('client'),
      './cdk': entry('cdk'),
      './package.json': './package.json',
    },
    files: ['*.js', '*.mjs', '*.d.ts', '*.d.mts', 'types', ...DOCUMENTS],
  },
  cli: {
    ...common(root, CLI, 'Command line of Quarterjack, a job scheduler for AWS, and its local run', ['cli']),
    bin: { quarterjack: 'bin.cjs' },
    exports: { './package.json': './package.json' },
    files: ['bin.cjs', 'lib', ...DOCUMENTS],
  },
  cdk: {
    ...common(root, CDK, 'CDK construct of Quarterjack, a job scheduler for AWS, with its functions', [
      ...['aws-cdk', 'cdk', 'construct', 'lambda', 'dynamodb'],
    ]),
    sideEffects: false,
    main: './index.js',
    types: './index.d.ts',
    exports: { '.': entry('index'), './package.json': './package.json' },
    files: ['index.js', 'index.d.ts', 'types', 'lambdas', ...DOCUMENTS],
    peerDependencies: Object.fromEntries(PEERS.map((peer) => [peer, `^${root.dependencies[peer]}`])),
  },
});

const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });

/** Provenance is a flag of the workflow that publishes: as a field, it makes each other registry fail. */
const common = ({ version, author, license, type, engines }, name, description, keywords) => ({
  name,
  version,
  description,
  keywords: ['quarterjack', 'scheduler', 'cron', 'jobs', 'serverless', 'aws', ...keywords],
  homepage: `${REPOSITORY}#readme`,
  bugs: { url: `${REPOSITORY}/issues` },
  repository: { type: 'git', url: `git+${REPOSITORY}.git` },
  license,
  author,
  type,
  engines,
});
