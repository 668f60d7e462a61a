import { type AccessRequest, evaluate, type Principal } from './evaluate';
import type { Context } from './conditions';
import type { Policies } from './policies';
import type { Statement } from './policy';

/** A role session: the role, and the session name, which is the function's name. */
export interface Session {
  roleArn: string;
  name: string;
  /** The role is not part of the stack. Its policies are unknown. */
  isExternal?: boolean | undefined;
  /** What the session may do at the most. Absent: what its role may. */
  policy?: readonly Statement[] | undefined;
}

type DecisionResult = 'allowed' | 'implicit-deny' | 'role-deny' | 'resource-deny' | 'session-deny';

/** A request, who made it, and the result. */
export interface Decision extends AccessRequest {
  principal: Principal;
  result: DecisionResult;
}

export interface Denial extends Decision {
  /** ARN of the role session. */
  user: string;
}

const NO_POLICIES: readonly Statement[] = [];

/**
 * Context of a call. The local run uses no TLS, since no call leaves the machine; in AWS all calls use it.
 */
export const SECURE_TRANSPORT: AccessRequest['context'] = { 'aws:securetransport': 'true' };

/**
 * Decides requests by the policies of the template. It keeps every distinct decision: policies do not change
 * during a run, and the decisions show which grant each call needs.
 */
export class Access {
  private readonly cache = new Map<string, Decision>();
  /** By the policies of a role: the condition keys that these and the resource policies test. */
  private readonly testedKeys = new Map<readonly Statement[], ReadonlySet<string>>();

  constructor(
    private readonly policies: Policies,
    private readonly accountId: string,
    /** Receives one line per distinct denial. */
    private readonly onDenied: (line: string) => void,
    /** Whether a resource belongs to the stack. */
    private readonly isOwn: (arn: string) => boolean = () => true,
  ) {}

  /** Whether a session may do this, in a call without further context. */
  allows(session: Session, action: string, resource: string): boolean {
    return this.denial(session, [{ action, resource, context: SECURE_TRANSPORT }]) === undefined;
  }

  /**
   * The first request that the session may not make; undefined if it may make all of them. An external role
   * may do anything with external resources, and nothing with those of the stack. Either has to be within the
   * policy of the session, if it has one.
   */
  denial(session: Session, requests: readonly AccessRequest[]): Denial | undefined {
    const { roleArn } = session;
    const role = this.policies.roles.get(roleArn);
    const name = role?.name ?? roleArn.split('/').at(-1);
    const user = session.isExternal
      ? roleArn
      : `arn:aws:sts::${this.accountId}:assumed-role/${name}/${session.name}`;
    for (const request of requests) {
      const decision = session.isExternal
        ? this.decideOutside({ roleArn }, request)
        : this.decide({ roleArn }, request, role?.statements ?? NO_POLICIES);
      if (decision.result !== 'allowed') return { ...decision, user };
      if (!session.policy || evaluate(session.policy, { roleArn }, request) === 'allowed') continue;
      this.onDenied(deniedLine(roleArn, request, 'session-deny'));
      return { ...decision, result: 'session-deny', user };
    }
    return undefined;
  }

  private decideOutside(principal: Principal, request: AccessRequest): Decision {
    const result = this.isOwn(request.resource) ? 'implicit-deny' : 'allowed';
    return { ...request, principal, result };
  }

  /** Whether an AWS service may do this as itself. Only a policy of the resource can allow that. */
  allowsService(service: string, request: AccessRequest): boolean {
    return this.decide({ service }, request, NO_POLICIES).result === 'allowed';
  }

  /** Whether an AWS service may assume a role. */
  allowsAssuming(service: string, roleArn: string, context: AccessRequest['context']): boolean {
    const request = { action: 'sts:AssumeRole', resource: roleArn, context };
    const trust = this.policies.roles.get(roleArn)?.trust ?? NO_POLICIES;
    return this.decide({ service }, request, trust).result === 'allowed';
  }

  /** Whether a role of the stack trusts another one. That one's own policies have to allow it besides. */
  trusts(roleArn: string, assumedBy: string): boolean {
    const request = { action: 'sts:AssumeRole', resource: roleArn, context: SECURE_TRANSPORT };
    const trust = this.policies.roles.get(roleArn)?.trust ?? NO_POLICIES;
    return evaluate(trust, { roleArn: assumedBy }, request) === 'allowed';
  }

  /** Every distinct decision so far. */
  decisions(): Decision[] {
    return [...this.cache.values()];
  }

  /**
   * The part of a context that decides. A key that no statement tests, such as that of a row, would only make
   * equal decisions look distinct.
   */
  private tested(context: Context, rolePolicies: readonly Statement[]): Context {
    let keys = this.testedKeys.get(rolePolicies);
    if (!keys) {
      const statements = [...rolePolicies, ...this.policies.resources];
      keys = new Set(statements.flatMap(({ condition }) => condition.keys));
      this.testedKeys.set(rolePolicies, keys);
    }
    const tested: Record<string, string> = {};
    for (const key in context) if (keys.has(key)) tested[key] = context[key]!;
    return tested;
  }

  private decide(principal: Principal, given: AccessRequest, rolePolicies: readonly Statement[]): Decision {
    const request = { ...given, context: this.tested(given.context, rolePolicies) };
    const key = JSON.stringify([principal, request.action, request.resource, request.context]);
    const cached = this.cache.get(key);
    if (cached) return cached;
    const result = decisionOf(rolePolicies, this.policies.resources, principal, request);
    const decision = { ...request, principal, result };
    this.cache.set(key, decision);
    if (result !== 'allowed') {
      const who = 'service' in principal ? principal.service : principal.roleArn;
      this.onDenied(deniedLine(who, request, result));
    }
    return decision;
  }
}

const deniedLine = (who: string, { action, resource }: AccessRequest, result: DecisionResult): string =>
  `AccessDenied: ${who} may not ${action} on ${resource} (${result})`;

/**
 * Within one account, an Allow in either kind of policy is enough, and a Deny in either kind overrides it.
 */
function decisionOf(
  rolePolicies: readonly Statement[],
  resourcePolicies: readonly Statement[],
  principal: Principal,
  request: AccessRequest,
): DecisionResult {
  const byRole = evaluate(rolePolicies, principal, request);
  const byResource = evaluate(resourcePolicies, principal, request);
  if (byRole === 'denied') return 'role-deny';
  if (byResource === 'denied') return 'resource-deny';
  return byRole === 'allowed' || byResource === 'allowed' ? 'allowed' : 'implicit-deny';
}

/** The error message of AWS. `spell` is for services that spell actions differently. */
export function denialMessage(
  { user, action, resource, result }: Denial,
  spell = (name: string): string => name,
): string {
  const reason =
    result === 'implicit-deny' || result === 'session-deny'
      ? `because no ${result === 'session-deny' ? 'session' : 'identity-based'} policy allows the ${spell(action)} action`
      : `with an explicit deny in ${result === 'role-deny' ? 'an identity-based' : 'a resource-based'} policy`;
  return `User: ${user} is not authorized to perform: ${spell(action)} on resource: ${resource} ${reason}`;
}
