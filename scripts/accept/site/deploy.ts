import type { AwsSite } from './site';

/** Arguments of the CDK for a stage, as `docs/deploy.md` has them. */
export const deployArguments = (stage: string, ...more: string[]): string[] => [
  ...['cdk', 'deploy', '-c', `stage=${stage}`, '--require-approval', 'never'],
  ...more,
];

/** Deploys the stage from this checkout. Throws if the CDK does. */
export const deploy = (
  { exec, stage }: Pick<AwsSite, 'exec' | 'stage'>,
  ...more: string[]
): Promise<string> => exec('npx', deployArguments(stage, ...more));
