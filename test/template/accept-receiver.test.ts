import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';

import { receiverTemplate } from '../../scripts/accept/receiver/template';

/** CloudFormation takes a template of this size in the request, and this much code in a template. */
const MAX_TEMPLATE_BYTES = 51_200;
const MAX_CODE_CHARS = 4_096;

test('the stack of the receiver has properties that CloudFormation knows, and nothing that remains', () => {
  const template = receiverTemplate('Quarterjack-dev-Lifecycle') as {
    Resources: Record<string, { Type: string; Properties: { Code?: { ZipFile: string } } }>;
  };
  expect(JSON.stringify(template).length).toBeLessThan(MAX_TEMPLATE_BYTES);
  expect(template.Resources.Receiver!.Properties.Code!.ZipFile.length).toBeLessThan(MAX_CODE_CHARS);
  expect(JSON.stringify(template)).not.toContain('DeletionPolicy');
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-accept-'));
  try {
    const templateFile = join(folder, 'template.json');
    writeFileSync(templateFile, JSON.stringify(template));
    const stack = new Stack(new App({ outdir: folder }), 'Accept');
    new CfnInclude(stack, 'Included', { templateFile });
    Template.fromStack(stack).resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      { Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true, Principal: '*' },
      1,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
