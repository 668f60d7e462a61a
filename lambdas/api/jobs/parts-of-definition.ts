import { type JobDefinition, limitNameOf, targetsOf } from '../../core/domain/job';
import { graphOf } from '../../core/domain/workflow/graph';
import { rootsOfDelivery } from '../../core/domain/workflow/task-roots';
import { faultOfPool, isHostOf } from '../../core/contracts/pools';
import { privateHostsOf, privateAccessOf } from '../../core/contracts/target-resources';
import { hostOf } from '../../core/delivery/address-policy';
import { withReach } from '../../core/delivery/addresses';
import { parseUrl } from '../../core/domain/parse-url';
import type { Target } from '../../core/domain/target';
import { urlWithoutSecrets } from '../../core/domain/target-secrets';
import type { Roots } from '../../core/templates/roots';
import type { FieldError } from '../http/problem';
import type { ApiDeps, ApiSettings } from '../request';

/** Where a target stands in a definition, by its index in `everyTargetOf`. */
function pathOfTarget(
  definition: Pick<JobDefinition, 'target' | 'targets' | 'onEnd'>,
  index: number,
): string {
  const own = targetsOf(definition).length;
  if (index < own) return definition.targets ? `targets.${index}` : 'target';
  return index === own && definition.onEnd?.succeeded ? 'onEnd.succeeded' : 'onEnd.failed';
}

/** What is delivered as a whole: a job, or a task of its workflow. */
export interface Part extends Pick<JobDefinition, 'target' | 'targets' | 'onEnd' | 'payload' | 'templates'> {
  /** Path of its fields: empty, or that of the task with a dot at its end. */
  path: string;
  /** Its field with the body. */
  body: 'payload' | 'input';
  pool: string | undefined;
  /** The pool that executes it: a task without one has that of its job. */
  executedIn: string;
  /** Only of a task: the roots of its templates. */
  roots?: Roots;
}

/** A definition in parts: the job's own fields, then the tasks of its workflow. */
export function partsOf(definition: JobDefinition): Part[] {
  const content = definition.workflow?.content;
  const graph = content && graphOf(content);
  return [
    { ...definition, path: '', body: 'payload', executedIn: definition.pool },
    ...(graph?.tasks ?? []).map(({ id, index, task: { target, targets, input, pool } }): Part => ({
      path: `workflow.tasks.${id}.`,
      body: 'input',
      target: target ?? targets?.[0],
      ...(targets && { targets }),
      payload: input,
      templates: true,
      pool,
      executedIn: pool ?? definition.pool,
      roots: rootsOfDelivery(graph!, index),
    })),
  ];
}

/** Path of a target of a part, by its index in `everyTargetOf`. */
export const targetPathOf = (part: Part, index: number): string => part.path + pathOfTarget(part, index);

export function faultsOfPool({ path, pool }: Part, { pools }: ApiSettings): FieldError[] {
  const message = faultOfPool(pool, pools);
  return message === undefined ? [] : [{ path: `${path}pool`, message }];
}

/** The settings for the targets of a part: a pool in a VPC may call more. */
export function settingsFor({ executedIn: pool }: Part, project: string, settings: ApiSettings): ApiSettings {
  const reach = settings.privateHosts && privateAccessOf(settings.privateHosts, pool, project);
  return reach ? { ...settings, targetPolicy: withReach(settings.targetPolicy, reach) } : settings;
}

/** A private host is called from a pool in a VPC alone: from another pool, its name may lead elsewhere. */
export function faultsOfPrivateHosts(
  { path, executedIn: pool }: Part,
  targets: readonly Target[],
  project: string,
  { privateHosts }: ApiSettings,
): FieldError[] {
  if (!privateHosts || Object.hasOwn(privateHosts.networks, pool)) return [];
  const allowed = privateHostsOf(privateHosts.hosts, project);
  const host = targets.flatMap(hostsOf).find((one) => allowed.some((pattern) => isHostOf(pattern, one)));
  if (host === undefined) return [];
  const pools = Object.keys(privateHosts.networks).join(', ');
  return [
    { path: `${path}pool`, message: `must be a pool in a VPC, one of ${pools}: ${host} is a private host` },
  ];
}

function hostsOf(target: Target): string[] {
  if (target.type !== 'http') return [];
  const urls = [urlWithoutSecrets(target), ...(target.auth?.type === 'oauth2' ? [target.auth.tokenUrl] : [])];
  return urls.flatMap((text) => {
    const url = parseUrl(text);
    return url ? [hostOf(url)] : [];
  });
}

/** Jobs without a concurrency key read nothing. */
export async function faultsOfKey(
  definition: Pick<JobDefinition, 'concurrencyKey' | 'workflow' | 'overlap'>,
  userId: string,
  { concurrency }: Pick<ApiDeps, 'concurrency'>,
): Promise<FieldError[]> {
  const { concurrencyKey } = definition;
  if (concurrencyKey === undefined) return [];
  const name = limitNameOf(concurrencyKey);
  const isDerived = name !== concurrencyKey;
  const unfit = isDerived ? faultOfDerived(definition) : undefined;
  if (unfit !== undefined) return [{ path: 'concurrencyKey', message: unfit }];
  if (await concurrency.getKey({ userId, concurrencyKey: name })) return [];
  const shell = isDerived ? `'${name}'` : name;
  const message = `${JSON.stringify(name)} is no concurrency key of the project: create it first (quarterjack concurrency-keys set ${shell} --limit N, or PUT /v1/concurrency-keys/${name})`;
  return [{ path: 'concurrencyKey', message }];
}

/** One job's executions have several derived keys: an older one may get its slot after a newer one began. */
function faultOfDerived({ workflow, overlap }: Pick<JobDefinition, 'workflow' | 'overlap'>) {
  if (workflow) return 'must name no value of the payload: a job with a workflow has none';
  return overlap === 'replace'
    ? 'must name no value of the payload beside the overlap policy replace: an older execution would end a newer one that has another key'
    : undefined;
}
