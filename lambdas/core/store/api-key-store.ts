import type { ApiKey } from '../domain/api-key';
import type { WriteOptions } from './write-options';

export type CreatedKey =
  | { outcome: 'created' }
  /** The id is taken, by this key. */
  | { outcome: 'exists'; current: ApiKey }
  /** The project has as many keys as it may have. */
  | { outcome: 'too-many' };

/** API keys. A key's own row is found by its id alone; each project has an index of its keys. */
export interface ApiKeyStore {
  /** Consistent. */
  get(keyId: string): Promise<ApiKey | undefined>;
  /**
   * Creates a key, unless its project would then have more than `max` that have not expired. Projects never
   * have more, however many requests come at once.
   */
  create(key: ApiKey, max: number, options?: WriteOptions): Promise<CreatedKey>;
  /** All keys of a project by id, also expired ones that are not removed yet. Consistent. */
  list(project: string): Promise<ApiKey[]>;
  /** Removes a key. From then on `get` does not find it. Removing a missing one changes nothing. */
  remove(key: Pick<ApiKey, 'project' | 'keyId'>): Promise<void>;
  /**
   * Notes the day of a use, if the key exists and none as late is noted.
   *
   * @param day in UTC: `2026-12-01`
   */
  recordUse(keyId: string, day: string, options?: WriteOptions): Promise<void>;
}
