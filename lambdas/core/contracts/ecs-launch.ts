/** How and where the tasks of a cluster are started. Its operator decides, never the author of a job. */
export interface EcsLaunch {
  readonly launchType?: 'EC2' | 'EXTERNAL' | 'FARGATE';
  /** In place of `launchType`. */
  readonly capacityProviders?: readonly string[];
  /** For tasks with the network mode `awsvpc`, as all on Fargate. */
  readonly subnets?: readonly string[];
  readonly securityGroups?: readonly string[];
  readonly assignPublicIp?: boolean;
}

/** By the ARN of a cluster. A cluster without an entry decides by itself. */
export type EcsClusters = Readonly<Record<string, EcsLaunch>>;
