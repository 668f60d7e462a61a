import { type AccessRequest, type Asking, evaluate } from './evaluate';
import type { Policies } from './policies';
import type { Statement } from './policy';

/** Who makes a call: a role, and the name of its session, which is that of the function. */
export interface Session {
  roleArn: string;
  name: string;
}

export type Ruling = 'allowed' | 'nothing-allows' | 'role-denies' | 'resource-denies';

/** A question that was asked, and its answer. */
export interface Decision extends AccessRequest {
  asking: Asking;
  ruling: Ruling;
}

export interface Refusal extends Decision {
  /** ARN of the session. */
  user: string;
}

/** Context of a call. On one machine none uses TLS, and none leaves the machine; all would use it in AWS. */
export const SECURE: AccessRequest['context'] = { 'aws:securetransport': 'true' };

/**
 * Answers who may do what, by the policies of the template. It keeps every distinct decision: policies do not change
 * while a run lasts, and what was asked shows what each of them is needed for.
 */
export class Access {
  private readonly made = new Map<string, Decision>();

  constructor(
    private readonly policies: Policies,
    private readonly accountId: string,
    /** Gets one line for each distinct thing that is refused. */
    private readonly onRefusal: (line: string) => void,
  ) {}

  /** The first of these requests that a session may not make; undefined where it may make them all. */
  refusal(session: Session, requests: readonly AccessRequest[]): Refusal | undefined {
    const { roleArn } = session;
    const role = this.policies.roles.get(roleArn);
    for (const request of requests) {
      const decision = this.decide({ roleArn }, request, role?.statements ?? []);
      if (decision.ruling === 'allowed') continue;
      const name = role?.name ?? roleArn.split('/').at(-1);
      return { ...decision, user: `arn:aws:sts::${this.accountId}:assumed-role/${name}/${session.name}` };
    }
    return undefined;
  }

  /** Whether an AWS service may do this on its own behalf, which only a policy of the resource can allow. */
  allowsService(service: string, request: AccessRequest): boolean {
    return this.decide({ service }, request, []).ruling === 'allowed';
  }

  /** Whether an AWS service may act under a role. */
  allowsAssuming(service: string, roleArn: string, context: AccessRequest['context']): boolean {
    const request = { action: 'sts:AssumeRole', resource: roleArn, context };
    return (
      this.decide({ service }, request, this.policies.roles.get(roleArn)?.trust ?? []).ruling === 'allowed'
    );
  }

  /** Every distinct decision so far. */
  decisions(): Decision[] {
    return [...this.made.values()];
  }

  private decide(asking: Asking, request: AccessRequest, own: readonly Statement[]): Decision {
    const key = JSON.stringify([asking, request.action, request.resource, request.context]);
    const known = this.made.get(key);
    if (known) return known;
    const decision = { ...request, asking, ruling: rule(this.policies, asking, request, own) };
    this.made.set(key, decision);
    if (decision.ruling !== 'allowed') {
      const who = 'service' in asking ? asking.service : asking.roleArn;
      this.onRefusal(
        `AccessDenied: ${who} may not ${request.action} on ${request.resource} (${decision.ruling})`,
      );
    }
    return decision;
  }
}

/** Within one account the policies of either side allow; those of both sides deny. */
function rule(
  { resources }: Policies,
  asking: Asking,
  request: AccessRequest,
  own: readonly Statement[],
): Ruling {
  const verdict = evaluate(own, asking, request);
  const ofResource = evaluate(resources, asking, request);
  if (verdict === 'denied') return 'role-denies';
  if (ofResource === 'denied') return 'resource-denies';
  return verdict === 'allowed' || ofResource === 'allowed' ? 'allowed' : 'nothing-allows';
}

/** A refusal in the words of AWS. `spell` is for services that write actions in a way of their own. */
export function refusalMessage(
  { user, action, resource, ruling }: Refusal,
  spell = (name: string): string => name,
): string {
  const reason =
    ruling === 'nothing-allows'
      ? `because no identity-based policy allows the ${spell(action)} action`
      : `with an explicit deny in ${ruling === 'role-denies' ? 'an identity-based' : 'a resource-based'} policy`;
  return `User: ${user} is not authorized to perform: ${spell(action)} on resource: ${resource} ${reason}`;
}
