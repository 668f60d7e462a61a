import {
  bodyOf,
  changeHeaders,
  type Connection,
  deleted,
  REPEATABLE_HEADERS,
  repeatableChangeHeaders,
} from './connection';
import type { CallOptions, NoteOptions } from './options';
import type { ProjectPingKey, ProjectPingKeyDefinition } from './types';

/** The URL to which the jobs of all monitors of the project ping. It is a secret. */
export class ProjectPings {
  /** @internal */
  constructor(private readonly api: Connection) {}

  get({ signal }: CallOptions = {}): Promise<ProjectPingKey> {
    return bodyOf(this.api.GET('/v1/ping-key', { headers: REPEATABLE_HEADERS, signal }), { url: 'text' });
  }

  /** Gives the project a URL, or changes what it allows. For owners of the project. */
  set(definition: ProjectPingKeyDefinition = {}, options: NoteOptions = {}): Promise<ProjectPingKey> {
    const headers = repeatableChangeHeaders(options);
    const call = this.api.PUT('/v1/ping-key', { body: definition, headers, signal: options.signal });
    return bodyOf(call, { url: 'text' });
  }

  /** Another URL. The one before works for a day; with `now`, it ends at once. */
  rotate(options: NoteOptions & { now?: boolean } = {}): Promise<ProjectPingKey> {
    const { now, signal } = options;
    const headers = changeHeaders(options);
    return bodyOf(this.api.POST('/v1/ping-key/rotate', { body: { now }, headers, signal }), { url: 'text' });
  }

  /** The URL ends at once. For owners of the project. */
  async remove(options: NoteOptions = {}): Promise<void> {
    const headers = repeatableChangeHeaders(options);
    await deleted(this.api.DELETE('/v1/ping-key', { headers, signal: options.signal }));
  }
}
