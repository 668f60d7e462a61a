import { ListeningWorkServer } from '../../support/listening-work-server';

/** A work server that can leave requests without an answer, and that says when something has arrived. */
export class HeldWorkServer extends ListeningWorkServer {
  /** Requests of these paths arrive, and are never answered. */
  readonly held = new Set<string>();
  /** What each claimed execution has beside the fields that are known today. */
  more: object | undefined;
  private readonly watchers = new Set<() => void>();

  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (this.held.has(pathname)) {
      this.requests.push({ path: pathname, body: {}, token: '', key: null });
      this.noticed();
      return new Promise<Response>(() => undefined);
    }
    const answered = super.fetch(request);
    setImmediate(() => this.noticed());
    const answer = await answered;
    this.noticed();
    return this.more && pathname === '/v1/work/claim' ? this.withMore(answer) : answer;
  }

  /** How many requests of a path have arrived. */
  count(path: string): number {
    return this.requests.filter((one) => one.path === path).length;
  }

  /** Resolves once the condition holds: it is asked after each request. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((done) => {
      const watcher = () => {
        if (!condition()) return;
        this.watchers.delete(watcher);
        done();
      };
      this.watchers.add(watcher);
      watcher();
    });
  }

  private noticed(): void {
    for (const watcher of [...this.watchers]) watcher();
  }

  private async withMore(answer: Response): Promise<Response> {
    const { work } = (await answer.json()) as { work: object[] };
    return Response.json({ ...this.more, work: work.map((one) => ({ ...one, ...this.more })) });
  }
}
