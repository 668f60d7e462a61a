import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { removalPolicyOf } from './removal-policy';

export interface SigningSecretProps {
  readonly removal: StageConfig['removal'];
}

/** The deployment's secret, from which every signing secret is derived. */
export class SigningSecret extends Construct {
  private readonly secret: Secret;

  constructor(scope: Construct, id: string, { removal }: SigningSecretProps) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description:
        'Quarterjack derives the signing secret of every user from this. Changing it changes all of them.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalPolicyOf(removal),
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Rotating this secret would change the signing secret of every user at once, and receivers would reject ' +
        'all deliveries. Users rotate their own secret by a version number that is part of its derivation.',
    });
  }

  /** Binds the secret's ARN and permission to read it. */
  reading(): Binding<'SIGNING_SECRET_ARN'> {
    const { secretArn } = this.secret;
    const statement = new PolicyStatement({
      actions: ['secretsmanager:GetSecretValue'],
      resources: [secretArn],
    });
    return { env: { SIGNING_SECRET_ARN: secretArn }, statements: [statement] };
  }
}
