import { type Shown, StandIn, type StandInDeps, type ToEnd } from '../stand-in';
import type { Delivery, EndEvent } from '../step-functions/execution';
import { workScriptOf, type WorkScript, type WorkService } from './scripts';

/** Work of a service: nothing runs, it waits and then ends as its script says. */
export interface Work {
  /** What the service calls it, or what is made of that if it is no ARN. */
  arn: string;
  id: string;
  /** Name of what was started. */
  of: string;
  /** The name of the errand. */
  name: string;
  request: Readonly<Record<string, unknown>>;
  startedMs: number;
  /** When and how it ends, unless a call or a button ends it before. */
  endsMs: number;
  ends: string;
  status: 'RUNNING' | 'ENDED' | 'REFUSED';
  /** How it has ended: a word of a script, or `stopped`. */
  ended?: string;
  why?: string;
  stoppedMs?: number;
  delivery: Delivery;
}

export type NewWork = Pick<Work, 'arn' | 'id' | 'of' | 'name' | 'request'>;

interface WorkDeps extends StandInDeps<WorkScript> {
  service: WorkService;
  /** The event of an end. */
  tell(work: Work, id: string): EndEvent;
}

const BUTTON_ENDS: Readonly<Record<WorkService, Partial<Record<ToEnd, string>>>> = {
  batch: { 'end well': 'exit-0', 'end badly': 'exit-1', 'interrupt it': 'host-gone' },
  glue: { 'end well': 'succeeded', 'end badly': 'failed' },
  codebuild: { 'end well': 'succeeded', 'end badly': 'failed' },
};

/** Jobs of Batch, runs of Glue jobs, or builds of CodeBuild. */
export class Works extends StandIn<Work, WorkScript> {
  constructor(private readonly given: WorkDeps) {
    super(given);
  }

  newId(): string {
    return this.deps.newId();
  }

  /** Undefined: there is no room for it. */
  start(made: NewWork): Work | undefined {
    const { lastsMs, ends } = workScriptOf(this.deps.scripts, this.given.service, made.of);
    const end = this.nextEnd(made.of, ends);
    const startedMs = this.deps.clock.nowMs();
    const times = { startedMs, endsMs: startedMs + lastsMs };
    const isRefused = end === 'no-room';
    const status = isRefused ? 'REFUSED' : 'RUNNING';
    const work: Work = { ...made, ...times, ends: end, status, delivery: 'once' };
    this.begin(work);
    return isRefused ? undefined : work;
  }

  /** What was refused is kept for the script alone: its service knows nothing of it. */
  override list(): Work[] {
    return super.list().filter(({ status }) => status !== 'REFUSED');
  }

  protected scriptNameOf({ of }: Work): string {
    return of;
  }

  byId(id: string): Work | undefined {
    return this.list().find((work) => work.id === id);
  }

  /** Ends running work now; what has ended stays as it is. Undefined: there is none. */
  end(arn: string, ended: string, why?: string): Work | undefined {
    return this.finish(arn, { status: 'ENDED', ended, ...(why !== undefined && { why }) });
  }

  protected endByScript({ arn, ends }: Work): void {
    this.end(arn, ends);
  }

  protected eventOf(work: Work, id: string): EndEvent {
    return this.given.tell(work, id);
  }

  protected shown({ of, name, request, ended, why }: Work): Shown {
    return { of, name, input: JSON.stringify(request), cause: [ended, why].filter(Boolean).join(': ') };
  }

  protected endBy(arn: string, act: ToEnd): Work | undefined {
    const ended = BUTTON_ENDS[this.given.service][act];
    return ended === undefined ? undefined : this.end(arn, ended);
  }

  protected endsBy(): readonly ToEnd[] {
    return Object.keys(BUTTON_ENDS[this.given.service]) as ToEnd[];
  }
}

/** Region and account of an ARN. */
export const placeOf = (arn: string): { region: string; account: string } => {
  const [, , , region = '', account = ''] = arn.split(':');
  return { region, account };
};

/** What is the same in the events of all services. */
export const endEvent = (
  work: Work,
  id: string,
  { source, detailType, at, detail }: { source: string; detailType: string; at: string; detail: object },
): EndEvent => ({
  version: '0',
  id,
  'detail-type': detailType,
  source,
  ...placeOf(at),
  time: new Date(work.stoppedMs ?? work.endsMs).toISOString(),
  resources: [work.arn],
  detail: detail as EndEvent['detail'],
});

/** The value of a variable in a list of them. */
export const variableIn = (list: unknown, name: string): string =>
  (Array.isArray(list) ? list : []).find((one: { name?: unknown }) => one.name === name)?.value ?? '';
