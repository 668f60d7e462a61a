import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import { ACTIONS_FOLDER } from '../../lambdas/core/contracts/action-schemas';
import { bundleOf } from './bundle';

/** A layer with what the actions of AWS take. Functions read a file of it for each service that jobs call. */
export class ActionCatalogue extends Construct {
  /** Where functions find it: Lambda unpacks layers there. */
  static readonly PATH = `/opt/${ACTIONS_FOLDER}`;
  private readonly layer: LayerVersion;

  constructor(scope: Construct, id: string, { bundlesDir }: { bundlesDir: string }) {
    super(scope, id);
    this.layer = new LayerVersion(this, 'Layer', {
      description: 'What actions of AWS take, for targets of Quarterjack',
      code: bundleOf(bundlesDir, ACTIONS_FOLDER),
    });
  }

  giveTo(functions: readonly LambdaFunction[]): void {
    for (const one of functions) one.addLayers(this.layer);
  }
}
