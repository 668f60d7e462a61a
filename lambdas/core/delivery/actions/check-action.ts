import type { ActionSchema, ServiceActions } from '../../contracts/action-schemas';
import { ACTION, allowedFor, rightsFor } from '../../contracts/allowed-actions';
import type { SessionRight } from '../../contracts/session-rights';
import { didYouMean } from '../../contracts/suggestion';
import type { ActionTarget } from '../../domain/target';
import type { AwsPolicy } from '../aws-policy';
import { fitInput, InputFault } from './fit-input';

/** A call that may be made: what is sent, and what its session may do. */
export interface CheckedAction {
  service: ServiceActions;
  operation: string;
  /** As the SDK takes it. */
  input: Record<string, unknown>;
  rights: SessionRight[];
}

interface Fitting {
  isRendered: boolean;
  /** What a member gets that makes repeated calls one. */
  tokenFor?: (path: string) => string;
}

/** `message` reads on behind the field. */
type ActionCheck =
  | { ok: true; action: CheckedAction }
  | { ok: false; message: string; field?: string };

/** Whether a project may make a call, and whether the operation takes its input. */
export function checkAction(
  { action, input }: ActionTarget,
  { awsTargets: { actions }, project }: { awsTargets: Pick<AwsPolicy, 'actions'>; project: string },
  fitting: Fitting,
): ActionCheck {
  const allowed = actions && allowedFor(actions.allowed, project, action);
  const found = allowed && schemaOf(action, actions.of);
  if (!allowed || !found) return { ok: false, message: refusal(action, actions?.allowed ?? {}, project) };
  const { service, operation, schema } = found;
  try {
    return {
      ok: true,
      action: {
        ...{ service, operation, rights: rightsFor(schema, allowed) },
        input: fitInput(service, schema, input, { ...fitting, passRoles: allowed.passRoles ?? [] }),
      },
    };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const field = error.path === '' ? 'input' : `input.${error.path}`;
    return { ok: false, field, message: error.message };
  }
}

function schemaOf(
  action: string,
  of: NonNullable<AwsPolicy['actions']>['of'],
): { service: ServiceActions; operation: string; schema: ActionSchema } | undefined {
  const [, name = '', operation = ''] = ACTION.exec(action) ?? [];
  const service = of(name);
  const schema = service && Object.hasOwn(service.actions, operation) ? service.actions[operation] : undefined;
  return service && schema && { service, operation, schema };
}

function refusal(
  action: string,
  allowed: NonNullable<AwsPolicy['actions']>['allowed'],
  project: string,
): string {
  const own = Object.entries(allowed).flatMap(([of, entries]) =>
    of === project || of === '*' ? entries.map((one) => one.action) : [],
  );
  return (
    `${JSON.stringify(action)} is not among the actions that this deployment allows` +
    `${didYouMean(action, own) || ': its operator can add it to allowedActions'}`
  );
}
