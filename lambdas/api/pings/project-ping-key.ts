import { pingIdOf, projectKeyOf } from '../../core/api-keys/ping-key';
import type { ProjectPingKeyView } from '../../core/http/openapi/ping';
import { ProjectPingKeyBody, RotatePingBody } from '../../core/http/ping';
import type { ProjectPingKey } from '../../core/store/ping-key-store';
import { audited } from '../audit/audited';
import { readOptionalBody } from '../http/parse-request';
import { notFound } from '../http/problem';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { nextVersion, versionView } from './ping-keys';

/** What audit records name. */
const RESOURCE = 'project';

/** 200 with the URL of the project. Throws `ProblemError` 404 if it has none. */
export async function getProjectPingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  return { status: 200, body: await viewOf(await keyOf(request, deps), request, deps) };
}

/** 201 with a new URL, or 200 with a changed one. */
export async function putProjectPingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { name, allowCreate } = readOptionalBody(request, ProjectPingKeyBody);
  const pingId = await pingIdIn(request, deps);
  const known = await deps.pingKeys.getOfProject(pingId);
  const key = {
    ...{ pingId, userId: request.project, name, allowCreate, setBy: request.by.sub },
    createdAtMs: deps.clock.nowMs(),
  };
  const detail = allowCreate ? 'may make monitors' : 'may ping';
  await audited(
    request,
    { what: 'ping-key.set', resource: RESOURCE, detail },
    () => deps.pingKeys.putOfProject(key, allowCreate && !known?.allowCreate),
    deps,
  );
  return { status: known ? 200 : 201, body: await viewOf(await keyOf(request, deps), request, deps) };
}

/** 204. Pings with the key are refused at once. Throws `ProblemError` 404 if the project has none. */
export async function deleteProjectPingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { pingId } = await keyOf(request, deps);
  const change = { what: 'ping-key.deleted', resource: RESOURCE } as const;
  await audited(request, change, () => deps.pingKeys.removeOfProject(pingId), deps);
  return { status: 204 };
}

/** 200 with the next URL of the project. The one before works for another day, unless `now` is true. */
export async function rotateProjectPingKey(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { now = false } = readOptionalBody(request, RotatePingBody);
  await keyOf(request, deps);
  const change = { what: 'ping-key.rotated', resource: RESOURCE } as const;
  const next = await audited(request, change, () => nextVersion(() => keyOf(request, deps), now, deps), deps);
  return { status: 200, body: await viewOf(next, request, deps) };
}

const pingIdIn = async ({ project }: ApiRequest, { secret }: ApiDeps): Promise<string> =>
  pingIdOf({ userId: project }, await secret.get());

async function keyOf(request: ApiRequest, deps: ApiDeps): Promise<ProjectPingKey> {
  const key = await deps.pingKeys.getOfProject(await pingIdIn(request, deps));
  if (!key) throw notFound('key for pings');
  return key;
}

async function viewOf(
  key: ProjectPingKey,
  { origin = '' }: ApiRequest,
  { secret, clock }: ApiDeps,
): Promise<ProjectPingKeyView> {
  const { name, allowCreate, version } = key;
  return {
    url: `${origin}/s/${projectKeyOf(key, version, await secret.get())}`,
    name,
    allowCreate,
    ...versionView(key, clock.nowMs()),
  };
}
