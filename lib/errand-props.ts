// Work that an attempt waits for: how it is started.

/** How and where the tasks of a cluster are started. */
export interface EcsLaunchProps {
  /** What the tasks run on. @default what the cluster says */
  readonly launchType?: 'EC2' | 'EXTERNAL' | 'FARGATE';
  /** In place of `launchType`: names of capacity providers, each with the same weight. @default none */
  readonly capacityProviders?: string[];
  /** Ids of subnets, for tasks with the network mode `awsvpc`, as all on Fargate. @default none */
  readonly subnets?: string[];
  /** Ids of security groups, with `subnets`. @default that of the VPC */
  readonly securityGroups?: string[];
  /** Whether tasks have public addresses, with `subnets`. @default false */
  readonly assignPublicIp?: boolean;
}

/** How tasks of ECS are started. */
export interface EcsErrandsProps {
  /** By the ARN of a cluster. @default each cluster decides by itself */
  readonly clusters?: Record<string, EcsLaunchProps>;
  /** ARNs of the roles of task definitions, which the executor passes to ECS. @default none */
  readonly passRoles?: string[];
}

/** Which work is watched that an attempt waits for, and how it is started. */
export interface ErrandsProps {
  /** Whether durable functions among `allowedTargetArns` may be called as such. @default false */
  readonly durable?: boolean;
  /** Whether jobs may say commands and sizes of tasks of ECS and jobs of Batch. @default false */
  readonly allowOverrides?: boolean;
  /** Tasks of ECS. @default no cluster, and no role */
  readonly ecs?: EcsErrandsProps;
}
