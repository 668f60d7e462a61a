import { Duration, Stack } from 'aws-cdk-lib';
import * as z from 'zod/mini';

import { TickEnv } from '../../lambdas/core/contracts/env';
import { bind, settings } from '../../lib/constructs/binding';
import { PipelineFunction } from '../../lib/constructs/pipeline-function';
import { SettingsFile } from '../../lib/constructs/settings-file';
import { createStack } from './synth';

test('a variable that its function does not read is an error', () => {
  const { app, stack, config } = createStack();
  const settingsFile = new SettingsFile(stack, 'Other', { config });
  const uses = bind(settings({ UNREAD: 1 }), settings({ SHARD_COUNT: config.shardCount }));
  const build = () =>
    new PipelineFunction(new Stack(app, 'Other'), 'Tick', {
      stage: 'tick',
      description: '',
      bundlesDir: '.',
      logRetention: config.logRetentionDays,
      isTraced: true,
      settings: settingsFile,
      timeout: Duration.seconds(1),
      memoryMb: 128,
      env: z.pick(TickEnv, { SHARD_COUNT: true }),
      uses,
    });
  expect(build).toThrow('the tick function does not read UNREAD');
});
