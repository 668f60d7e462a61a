import type { EcsClusters } from '../../contracts/ecs-launch';
import { ERRAND_SERVICES, ERRAND_TYPES, type ErrandType } from '../../contracts/errand-services';
import type { ErrandEventMessage } from '../../contracts/messages';
import type { Errand, ErrandStep } from '../../domain/errand';
import { addressOf, type ErrandTarget } from '../../domain/target';
import type { AwsPolicy } from '../aws-policy';
import { parseArn } from '../arn';
import type { AssumedRole } from '../call/assumed-roles';
import { targetTypeOf } from '../targets/registry';
import type { ErrandEvent, ErrandKind, ErrandStart, Probed, Started } from './errand-kind';

/** The code of a type is loaded with its first errand. */
const KINDS: Readonly<Record<ErrandType, () => Promise<ErrandKind>>> = {
  stepfunctions: async () => (await import('./step-functions.ts')).stepFunctions,
  ecs: async () => (await import('./ecs.ts')).ecs,
  batch: async () => (await import('./batch.ts')).batch,
  glue: async () => (await import('./glue.ts')).glue,
  codebuild: async () => (await import('./codebuild.ts')).codebuild,
  durable: async () => (await import('./durable.ts')).durable,
};

/** What is started, and where, by its target. */
export const resourcesOf = (target: ErrandTarget): Pick<Errand, 'resource' | 'runsIn'> => ({
  resource: addressOf(target),
  ...(target.type === 'ecs' && { runsIn: target.clusterArn }),
  ...(target.type === 'batch' && { runsIn: target.jobQueueArn }),
});

type RoleFor = (project: string) => AssumedRole | undefined;

/** What executors ask of the services. Nothing but an executor starts anything. */
export interface ErrandStarts {
  /** What the names of the deployment's errands begin with. */
  prefix: string;
  /** Why the target may not be called; undefined: it may. */
  faultOf(target: ErrandTarget, project: string): string | undefined;
  start(start: ErrandStart, project: string, signal: AbortSignal): Promise<Started>;
}

/** What the watcher asks of the services. Nothing but the watcher probes for anything, or stops it. */
export interface ErrandProbes {
  /** In their order. Several are asked for together: as `probeAll` groups them. */
  probe(errands: readonly Errand[], project: string, signal: AbortSignal): Promise<Probed[]>;
  /** The steps of one that has ended. Throws if its service does not say. */
  steps(errand: Errand, project: string, signal: AbortSignal): Promise<ErrandStep[] | undefined>;
  stop(errand: Errand, why: string, project: string, signal: AbortSignal): Promise<void>;
  /** Undefined: the event tells of the end of no errand. */
  ofEvent(event: ErrandEventMessage): Promise<KnownEvent | undefined>;
}

export interface KnownEvent extends ErrandEvent {
  type: ErrandType;
  /** Whether it tells of an errand that was started by this ARN. */
  isOf(resource: string): boolean;
}

const contextOf = (resource: string, project: string, roleFor: RoleFor) => ({
  region: regionOf(resource),
  role: roleFor(project),
});

function regionOf(resource: string): string {
  const parts = parseArn(resource);
  if (!parts) throw new Error(`not the ARN of a resource: ${resource}`);
  return parts.region;
}

export const errandStarts = (
  prefix: string,
  awsTargets: AwsPolicy,
  roleFor: RoleFor,
  ecsClusters: EcsClusters,
): ErrandStarts => ({
  prefix,
  faultOf(target, project) {
    const check = targetTypeOf(target).check(target, { awsTargets, project });
    return check.ok ? undefined : check.message;
  },
  async start(start, project, signal) {
    const kind = await KINDS[start.type]();
    return kind.start(start, { ...contextOf(start.resource, project, roleFor), signal, ecsClusters });
  },
});

const isIdentified = (errand: Errand): errand is Errand & { id: string } => errand.id !== undefined;

export const errandProbes = (roleFor: RoleFor): ErrandProbes => ({
  async probe(errands, project, signal) {
    const [first] = errands;
    if (!first) return [];
    const kind = await KINDS[first.type]();
    const call = { ...contextOf(first.resource, project, roleFor), signal };
    if (kind.probeMany && errands.length > 1) return kind.probeMany(errands.filter(isIdentified), call);
    return Promise.all(errands.map((errand) => kind.probe(errand, call)));
  },
  async steps(errand, project, signal) {
    const kind = await KINDS[errand.type]();
    if (!isIdentified(errand)) return undefined;
    return kind.steps?.(errand, { ...contextOf(errand.resource, project, roleFor), signal });
  },
  async stop(errand, why, project, signal) {
    const kind = await KINDS[errand.type]();
    return kind.stop(errand, why, { ...contextOf(errand.resource, project, roleFor), signal });
  },
  async ofEvent(event) {
    const type = ERRAND_TYPES.find((one) => ERRAND_SERVICES[one].events.source === event.source);
    if (!type) return undefined;
    const kind = await KINDS[type]();
    const ended = kind.ofEvent(event);
    const parts = ended && parseArn(ended.resource);
    if (parts?.accountId !== event.account || parts.region !== event.region) return undefined;
    const { isSame = (one, other) => one === other } = kind;
    return { ...ended!, type, isOf: (resource) => isSame(resource, ended!.resource) };
  },
});
