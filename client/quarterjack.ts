import { answered, connect, type Connection, REPEATABLE_HEADERS } from './connection';
import { Executions } from './executions';
import { Jobs } from './jobs';
import type { CallOptions, ConnectionOptions } from './options';
import type { Preview, Schedule, SigningSecret } from './types';

/**
 * A client of the HTTPS API.
 *
 *     const quarterjack = new Quarterjack({ url: 'http://127.0.0.1:8787', token });
 *     await quarterjack.jobs.create({ schedule: { type: 'delay', delay: '10m' }, target: { type: 'http', url } });
 */
export class Quarterjack {
  readonly jobs: Jobs;
  readonly executions: Executions;
  private readonly api: Connection;

  constructor(options: ConnectionOptions) {
    this.api = connect(options);
    this.jobs = new Jobs(this.api);
    this.executions = new Executions(this.api);
  }

  /** What a schedule would do, counted from `from` (RFC 3339, default now). */
  preview(
    schedule: Schedule,
    { count, from, signal }: { count?: number; from?: string } & CallOptions = {},
  ): Promise<Preview> {
    const body = { schedule, count, from };
    return answered(this.api.POST('/v1/schedules/preview', { body, headers: REPEATABLE_HEADERS, signal }));
  }

  /** What deliveries are signed with. */
  signingSecret({ signal }: CallOptions = {}): Promise<SigningSecret> {
    return answered(this.api.GET('/v1/signing-secret', { headers: REPEATABLE_HEADERS, signal }));
  }
}
