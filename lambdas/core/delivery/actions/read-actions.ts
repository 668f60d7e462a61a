import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ServiceActions } from '../../contracts/action-schemas';
import type { AllowedActions } from '../../contracts/allowed-actions';
import { eitherAllows } from '../../contracts/target-resources';

/** What the actions of a service take; undefined: the deployment knows no such service. */
export type ActionsOf = (service: string) => ServiceActions | undefined;

const SERVICE = /^[a-z0-9]{2,40}$/;

/** Reads each service's file at its first use: a cold start reads none. */
export function readActions(folder: string): ActionsOf {
  const known = new Map<string, ServiceActions | undefined>();
  return (service) => {
    if (!SERVICE.test(service)) return undefined;
    if (!known.has(service)) known.set(service, parsed(join(folder, `${service}.json`)));
    return known.get(service);
  };
}

function parsed(path: string): ServiceActions | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ServiceActions;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface ActionVariables {
  ALLOWED_ACTIONS: AllowedActions;
  ADDED_ACTIONS: AllowedActions;
  ACTIONS_PATH: string;
}

/** What a deployment lets targets call. */
export const actionsOf = ({ ALLOWED_ACTIONS, ADDED_ACTIONS, ACTIONS_PATH }: ActionVariables) => ({
  allowed: eitherAllows(ALLOWED_ACTIONS, ADDED_ACTIONS),
  of: readActions(ACTIONS_PATH),
});
