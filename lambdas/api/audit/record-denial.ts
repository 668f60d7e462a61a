import { isReservedName } from '../../core/contracts/projects';
import { type AuditRecord, DENIALS_A_MINUTE, denialIdOf, DEPLOYMENT_AUDIT } from '../../core/domain/audit';
import type { Identity } from '../../core/domain/identity';
import { shardOf } from '../../core/domain/shard';
import { expiresAtSecAfter } from '../../core/domain/timing';
import { actorOf, type IncomingRequest, projectNamedIn } from '../admit';
import type { ProblemError } from '../http/problem';
import type { ApiDeps } from '../request';

/** Bounds of a record, since both texts may come from the token or the request. */
const MAX_SUB = 512;
const MAX_DETAIL = 300;

/**
 * Puts a request that was denied with 403 on record, in the token's project. Without one, and with several of
 * which the request names none, it is among the records of the deployment. A project has 64 records for the
 * denials of a minute, and denials of one actor and route share one. So a client that is denied cannot write
 * without bound. A failure is only logged.
 */
export async function recordDenial(
  { route, caller, headers }: Pick<IncomingRequest, 'route' | 'caller' | 'headers'>,
  problem: ProblemError,
  { audit, clock, retentionDays, log }: Pick<ApiDeps, 'audit' | 'clock' | 'retentionDays' | 'log'>,
): Promise<void> {
  const identity = caller?.via === 'system' ? caller.identity : caller?.verification;
  if (identity === undefined || 'problem' in identity) return; // no actor is known: that is a 401
  const actor = actorOf(identity, caller?.via === 'system');
  const by = { ...actor, sub: actor.sub.slice(0, MAX_SUB) };
  const project = projectOf(identity, projectNamedIn(headers));
  const atMs = clock.nowMs();
  const slot = shardOf(JSON.stringify([by.sub, by.via, route.operation]), DENIALS_A_MINUTE);
  const record: AuditRecord = {
    id: denialIdOf(project, atMs, slot),
    atMs,
    by,
    what: 'request.denied',
    outcome: 'refused',
    resource: `${route.method} ${route.path}`,
    detail: problem.message.slice(0, MAX_DETAIL),
    expiresAtSec: expiresAtSecAfter(atMs, retentionDays),
  };
  try {
    await audit.record(project, record);
  } catch (error) {
    log.error('a denied request was not put on record', error, { operation: route.operation });
  }
}

function projectOf({ projects }: Identity, header: string | undefined): string {
  const named =
    projects.find(({ name }) => name === header) ?? (projects.length === 1 ? projects[0] : undefined);
  return named && !isReservedName(named.name) ? named.name : DEPLOYMENT_AUDIT;
}
