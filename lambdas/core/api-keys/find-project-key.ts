import type { Clock } from '../clock/clock';
import type { PingKeyStore, ProjectPingKey } from '../store/ping-key-store';
import { isKeyNow, pingIdIn, projectKeyOf } from './ping-key';

export interface ProjectKeyDeps {
  pingKeys: Pick<PingKeyStore, 'getOfProject'>;
  secret: { get(): Promise<Buffer> };
  clock: Pick<Clock, 'nowMs'>;
}

/** What a key for all monitors of a project names; undefined also if it is wrong, or does not work now. */
export async function projectKeyBy(
  text: string,
  { pingKeys, secret, clock }: ProjectKeyDeps,
): Promise<ProjectPingKey | undefined> {
  const pingId = pingIdIn(text, 'qjs');
  const key = pingId === undefined ? undefined : await pingKeys.getOfProject(pingId);
  if (!key) return undefined;
  const bytes = await secret.get();
  const ofVersion = (version: number) => projectKeyOf(key, version, bytes);
  return isKeyNow(text, key, clock.nowMs(), ofVersion) ? key : undefined;
}
