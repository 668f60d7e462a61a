/** A function of Lambda, in the stack of an app with the CDK. */
import { join } from 'node:path';

import { JobFunction, Quarterjack } from '@quarterjack/cdk';
import { Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

interface ShopProps extends StackProps {
  /** Where the functions' bundles of Quarterjack are, for a build of your own. */
  readonly bundlesDir?: string;
}

/** A deployment of Quarterjack, the jobs of `jobs.ts`, and the function that runs them. */
export class Shop extends Stack {
  readonly jobs: JobFunction;

  constructor(scope: Construct, id: string, { bundlesDir, ...props }: ShopProps = {}) {
    super(scope, id, props);
    const quarterjack = new Quarterjack(this, 'Quarterjack', bundlesDir === undefined ? {} : { bundlesDir });
    this.jobs = new JobFunction(this, 'Jobs', {
      quarterjack,
      entry: join(__dirname, 'jobs.ts'),
      source: 'shop',
    });
    const orders = new TableV2(this, 'Orders', { partitionKey: { name: 'id', type: AttributeType.STRING } });
    orders.grantReadData(this.jobs);
  }
}
