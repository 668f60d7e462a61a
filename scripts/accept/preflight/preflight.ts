import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';

import { concurrencyOf } from '../../preflight/concurrency';
import { memoryWarning, reservedBy, roomOf } from '../../preflight/room';
import { onAws, type Step } from '../check';
import type { AwsSite } from '../site/site';
import { outputsOf, stackOf } from '../site/stacks';
import { cognitoPrefix } from './cognito-prefix';

/** The first version of the bootstrap whose roles the CDK of this checkout can use. */
const LEAST_BOOTSTRAP = 6;
/** A stack that a failed first deployment has left: only a deletion helps. */
const STUCK = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED'];

export const preflight: Step = {
  name: 'preflight',
  title: 'Preflight: what can be known before a deployment',
  isCondition: true,
  checks: [
    onAws('preflight/identity', 'The credentials are those of an account', identity),
    onAws('preflight/bootstrap', `The bootstrap has version ${LEAST_BOOTSTRAP} or later`, bootstrap),
    onAws('preflight/concurrency', 'The quota of Lambda is enough for the template', concurrency),
    onAws(
      'preflight/cognito-prefix',
      'The prefix of the sign-in page is free, or is the stack’s',
      cognitoPrefix,
    ),
    onAws('preflight/stack', 'No failed deployment blocks the next one', stack),
  ],
};

async function identity({ clients: { sts } }: AwsSite) {
  const { Account, Arn } = await sts.send(new GetCallerIdentityCommand());
  const region = await sts.config.region();
  return { holds: Account !== undefined, detail: `account ${Account}, region ${region}, as ${Arn}` };
}

async function bootstrap({ clients: { cloudFormation } }: AwsSite) {
  const found = await stackOf(cloudFormation, 'CDKToolkit');
  if (!found) return { holds: false, detail: 'there is no stack CDKToolkit: run npx cdk bootstrap' };
  const { BootstrapVersion = '' } = await outputsOf(cloudFormation, 'CDKToolkit');
  const detail = `version ${BootstrapVersion || 'unknown'}`;
  return { holds: Number(BootstrapVersion) >= LEAST_BOOTSTRAP, detail };
}

async function concurrency({ clients: { lambda }, template, stackName }: AwsSite) {
  const { needed, queues, largestMb } = concurrencyOf(template());
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
  const { quota, elsewhere, room } = roomOf(AccountLimit, await reservedBy(lambda, stackName));
  const warning = memoryWarning(largestMb);
  return {
    holds: room >= needed,
    detail:
      `quota ${quota}, of which other stacks reserve ${elsewhere}; needed ${needed}; the queues may start ` +
      `${queues} at once${warning === undefined ? '' : `; ${warning}`}`,
    figures: { quota, elsewhere, needed, queues },
  };
}

async function stack({ clients: { cloudFormation }, stackName }: AwsSite) {
  const found = await stackOf(cloudFormation, stackName);
  const status = found?.StackStatus ?? 'not deployed yet';
  const isStuck = STUCK.includes(status);
  return {
    holds: !isStuck,
    detail: isStuck ? `${status}: see docs/deploy.md, If the first deployment fails` : status,
  };
}
