/** What CloudFormation sends to the function of a custom resource. */
export interface StackEvent {
  RequestType: 'Create' | 'Update' | 'Delete';
  /** Where the response goes: a signed URL, valid for two hours. */
  ResponseURL: string;
  StackId: string;
  /** Differs for each request, and is the same if Lambda repeats it. */
  RequestId: string;
  ResourceType: string;
  LogicalResourceId: string;
  /** Absent in a Create. */
  PhysicalResourceId?: string;
  /** All texts. */
  ResourceProperties: Readonly<Record<string, string>>;
  /** In an Update. */
  OldResourceProperties?: Readonly<Record<string, string>>;
}

/** What a resource's handler needs of a request. */
export type ResourceRequest<Properties> = Pick<
  StackEvent,
  'RequestType' | 'RequestId' | 'PhysicalResourceId' | 'StackId' | 'LogicalResourceId'
> & {
  properties: Properties;
  /** In an Update. */
  old: Properties | undefined;
};

/**
 * What a physical id names: something in a project. CloudFormation deletes a resource by it, and takes
 * another id for another resource.
 */
export const physicalId = (project: string, id: string): string => `${project}/${id}`;

/** Id of a resource whose creation failed. CloudFormation deletes it at once, which does nothing. */
export const failedId = (requestId: string): string => `failed:${requestId}`;

/** What a physical id names; undefined if its creation failed. Ids have no slash, projects may have some. */
export function namedBy(physical: string): { project: string; id: string } | undefined {
  const slash = physical.lastIndexOf('/');
  if (physical.startsWith('failed:') || slash < 0) return undefined;
  return { project: physical.slice(0, slash), id: physical.slice(slash + 1) };
}
