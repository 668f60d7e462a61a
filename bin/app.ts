import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';

import { QuarterjackStack } from '../lib/quarterjack-stack';
import { loadStageConfig } from '../lib/config/load-stage-config';

const root = join(__dirname, '..');

const app = new App();
const config = loadStageConfig(app.node);

// Bundled here, not by a script of package.json, so that `cdk synth` and `cdk deploy` never use a stale
// bundle.
execFileSync(process.execPath, [join(root, 'scripts/build-lambdas.mjs')], { stdio: ['ignore', 2, 2] });

new QuarterjackStack(app, `Quarterjack-${config.stage}`, { config, bundlesDir: join(root, 'dist/lambdas') });
