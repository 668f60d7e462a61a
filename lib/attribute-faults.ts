import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { isProjectName, PROJECT_EXPECTED } from '../lambdas/core/contracts/projects';
import { didYouMean } from '../lambdas/core/contracts/suggestion';
import { ROLE_ARN } from './config/targets';
import type { QuarterjackAttributes } from './deployment-attributes';

interface Rule {
  readonly expected: string;
  fits(value: string): boolean;
  readonly isOptional?: true;
}

const matching = (pattern: RegExp, expected: string): Rule => ({
  expected,
  fits: (value) => pattern.test(value),
});
const ROLE = matching(ROLE_ARN, 'the ARN of an IAM role');
const FUNCTION_ARN = /^arn:aws[\w-]*:lambda:([a-z0-9-]+):(\d{12}):function:[A-Za-z0-9_-]{1,64}$/;

const RULES: Record<keyof QuarterjackAttributes, Rule> = {
  url: matching(
    /^https:\/\/[^/?#\s]+$/,
    'an https URL without a path or a slash at its end, such as https://jobs.example.com',
  ),
  project: { expected: PROJECT_EXPECTED, fits: isProjectName },
  executorRoleArn: ROLE,
  providerArn: matching(FUNCTION_ARN, 'the ARN of a function, without version or alias'),
  providerRoleArn: ROLE,
  targetNamePrefix: {
    ...matching(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, "-" or "_"'),
    isOptional: true,
  },
};

/**
 * What no deployment can have of the attributes, each in a line. References to other resources are known at
 * deployment alone. The deployment has to be in the account and the region of the stack.
 */
export function attributeFaults(scope: Construct, attributes: QuarterjackAttributes): string[] {
  const given = Object.entries(attributes as unknown as Record<string, unknown>);
  const unknown = given
    .filter(([name]) => !Object.hasOwn(RULES, name))
    .map(([name]) => `${name}: is not known${didYouMean(name, Object.keys(RULES))}`);
  const wrong = Object.entries(RULES).flatMap(([name, { expected, fits, isOptional }]) => {
    const value: unknown = attributes[name as keyof QuarterjackAttributes];
    if (value === undefined) return isOptional ? [] : [`${name}: is required; expected ${expected}`];
    if (Token.isUnresolved(value) || (typeof value === 'string' && fits(value))) return [];
    return [`${name} = ${JSON.stringify(value)}: expected ${expected}`];
  });
  return [...unknown, ...wrong, ...(wrong.length > 0 ? [] : placeFaults(scope, attributes))];
}

function placeFaults(scope: Construct, attributes: QuarterjackAttributes): string[] {
  const { providerArn, executorRoleArn, providerRoleArn } = attributes;
  const { region, account } = Stack.of(scope);
  const [, ofRegion, ofAccount] = FUNCTION_ARN.exec(providerArn) ?? [];
  const roles = Object.entries({ executorRoleArn, providerRoleArn }).filter(
    ([, arn]) => !Token.isUnresolved(arn),
  );
  return [
    ...differs('providerArn', providerArn, { is: ofRegion, of: region, what: 'region' }),
    ...differs('providerArn', providerArn, { is: ofAccount, of: account, what: 'account' }),
    ...roles.flatMap(([name, arn]) => {
      const of = Token.isUnresolved(account) ? ofAccount : account;
      return differs(name, arn, { is: arn.split(':')[4], of, what: 'account' });
    }),
  ];
}

interface Place {
  readonly is: string | undefined;
  readonly of: string | undefined;
  readonly what: string;
}

const differs = (name: string, arn: string, { is, of, what }: Place): string[] =>
  is === undefined || of === undefined || Token.isUnresolved(of) || is === of
    ? []
    : [`${name} = ${JSON.stringify(arn)}: expected the ${what} ${of}, in which the stack is`];
