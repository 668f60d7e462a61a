import { instantText } from '../../core/clock/clock';
import type { ChangeView } from '../../core/http/change-answers';
import type { JobDefinition } from '../../core/domain/job';
import { definitionView } from '../jobs/job-view';
import { isObject } from '../jobs/merge-patch';
import type { ApiRequest } from '../request';
import type { JobChange } from './changes-of';
import { patchBetween } from './patch-between';

/** Shows a change to the sender of a request: values of secret headers only to one with `jobs:write`. */
export const changeView =
  ({ scopes }: Pick<ApiRequest, 'scopes'>) =>
  (change: JobChange): ChangeView => {
    const shown = scopes.has('jobs:write') ? (fields: Fields) => fields : withoutSecrets;
    const { number, what, state, before } = change;
    const { atMs, by, note } = what === 'deleted' ? state.removed! : state;
    const head = {
      number,
      what,
      at: instantText(atMs),
      by: by ?? null,
      note: note ?? null,
      createdAt: instantText(state.createdAtMs),
    };
    if (what === 'deleted') return { ...head, status: null, patch: null, definition: null };
    const { lastChange, definition } = state;
    const patch = before && definition && patchBetween(shownFields(before), shownFields(definition));
    return {
      ...head,
      ...(lastChange?.what === 'restored' && { restoredFrom: lastChange.from }),
      status: state.status,
      patch: patch ? shown(patch) : null,
      definition: definition ? (shown(shownFields(definition)) as ChangeView['definition']) : null,
    };
  };

type Fields = Record<string, unknown>;

const shownFields = (definition: JobDefinition): Fields => ({ ...definitionView(definition) });

/** Headers whose values are secrets by their names. */
const SECRET_HEADER = /^(?:authorization|cookie|x-api-key|.*-(?:token|secret))$/i;
const HIDDEN = '[hidden]';

/** The fields of a definition or patch, without the values of secret headers. */
const withoutSecrets = (fields: Fields): Fields => ({
  ...fields,
  ...(Object.hasOwn(fields, 'target') && { target: targetWithoutSecrets(fields.target) }),
  ...(Array.isArray(fields.targets) && { targets: fields.targets.map(targetWithoutSecrets) }),
});

function targetWithoutSecrets(target: unknown): unknown {
  if (!isObject(target) || !isObject(target.headers)) return target;
  const headers = Object.entries(target.headers).map(([name, value]) => {
    const isSecret = SECRET_HEADER.test(name) && value !== null; // null, in a patch: the header was removed
    return [name, isSecret ? HIDDEN : value];
  });
  return { ...target, headers: Object.fromEntries(headers) };
}
