import { MINUTE_MS } from '../../../../../../lambdas/core/clock/clock';
import { minuteOf } from '../../../../../../lambdas/core/contracts/tables';
import { entrySortKey, type OccurrenceEntry } from '../../../../../../lambdas/core/domain/entry';
import { packedEntriesOf, packsOf } from '../../../../../../lambdas/core/store/dynamo/entry-packs';
import { anOccurrenceEntry, T0_MS } from '../../../../../support/factories';
import {
  bitsIn,
  bitsOfBucket,
  bucketOfBit,
  entryBit,
  hasBit,
  isJobSaved,
  MODEL_SERIES,
  type ModelFault,
  type ModelRow,
  type ModelScanner,
  type ModelState,
  type ModelStep,
  NEW_SERIES,
  nextEntryBit,
  OLD_SERIES,
  PLAYED_BUCKETS,
  scannerCode,
  seriesOfBit,
} from './states';

export interface Explored {
  states: number;
  /** What went wrong first, with the steps that led there. */
  violation?: { what: string; steps: string[] };
}

/**
 * All that two scanners, a sweeper and an edit can do to three series of entries, one step at a time and in
 * every order. A stage may die before any step, as often as it likes. Rows come from the real codec.
 *
 * In each state, the entries in the table include the next entry of each message that was sent, unless an
 * edit has ended its series.
 */
export function explore(names: readonly string[], fault?: ModelFault): Explored {
  const model = new Model(names, fault);
  return model.explore();
}

class Model {
  private readonly rows: ModelRow[] = [];
  private readonly rowIds = new Map<string, number>();
  private readonly plans = new Map<number, number[]>();
  private readonly singles: number[] = [];
  private readonly unions = new Map<number, number>();
  private readonly distinct: number;

  constructor(
    private readonly names: readonly string[],
    private readonly fault: ModelFault | undefined,
  ) {
    this.distinct = this.findDistinct();
  }

  explore(): Explored {
    const first: ModelState = {
      rows: [OLD_SERIES, 2, 3].reduce((bits, series) => bits | (1 << this.single(entryBit(series, 0))), 0),
      cursor: 0,
      scanners: [{ at: 'idle' }, { at: 'idle' }],
      api: 'before',
    };
    const cameFrom = new Map<string, { before?: string; step: string }>([
      [this.keyOf(first), { step: 'start' }],
    ]);
    let open = [first];
    while (open.length > 0) {
      const found: ModelState[] = [];
      for (const state of open) {
        const before = this.keyOf(state);
        for (const step of this.stepsFrom(state)) {
          const what = this.faultOf(state, step);
          const steps = what === undefined ? [] : [...stepsTo(before, cameFrom), step.name];
          if (what) return { states: cameFrom.size, violation: { what, steps } };
          const key = this.keyOf(step.to);
          if (cameFrom.has(key)) continue;
          cameFrom.set(key, { before, step: step.name });
          found.push(step.to);
        }
      }
      open = found;
    }
    return { states: cameFrom.size };
  }

  /** What is wrong with a step, if anything: what it sends, and what the table loses. */
  private faultOf(before: ModelState, { to, sends = 0 }: ModelStep): string | undefined {
    const [had, written] = [this.union(before.rows), this.union(to.rows)];
    const lost = bitsIn(had & ~written).find((entry) => this.isCurrent(entry, to));
    if (lost !== undefined) return `${this.entryName(lost)} is lost`;
    // What a step sends, it sends before it puts.
    const early = bitsIn(sends).find(
      (entry) => !hasBit(had, nextEntryBit(entry)) && this.isCurrent(entry, to),
    );
    return early === undefined ? undefined : `${this.entryName(early)} is sent before its next entry`;
  }

  private *stepsFrom(state: ModelState): Generator<ModelStep> {
    for (const index of [0, 1] as const) yield* this.scannerSteps(state, index);
    yield* this.sweeperSteps(state);
    yield* this.apiSteps(state);
  }

  private *scannerSteps(state: ModelState, index: 0 | 1): Generator<ModelStep> {
    const scanner = state.scanners[index];
    const named = (
      name: string,
      next: ModelScanner,
      more: Partial<ModelState> = {},
      sends = 0,
    ): ModelStep => ({
      name: `scanner ${index + 1} ${name}`,
      to: {
        ...state,
        ...more,
        scanners: index === 0 ? [next, state.scanners[1]] : [state.scanners[0], next],
      },
      sends,
    });
    if (scanner.at === 'idle') {
      const bucket = state.cursor;
      const seen = this.union(state.rows) & bitsOfBucket(bucket);
      if (PLAYED_BUCKETS.includes(bucket))
        yield named(`reads bucket ${bucket}`, { at: 'read', bucket, seen });
      return;
    }
    yield named('dies', { at: 'idle' });
    const { bucket } = scanner;
    if (scanner.at === 'read') {
      // Its read of jobs may be stale: it may show the revision before the edit.
      for (const unknown of isJobSaved(state.api) ? [NEW_SERIES, OLD_SERIES] : [NEW_SERIES]) {
        const due = scanner.seen & ~(1 << entryBit(unknown, bucket));
        yield named(`reads jobs, without ${unknown}`, { at: 'writes', bucket, due, done: 0 });
      }
    } else if (scanner.at === 'writes') {
      const { done, due } = scanner;
      const puts = this.rowsFor(due);
      const sends = done === (this.fault === 'message-first' ? 0 : puts.length) ? due : 0;
      const next: ModelScanner = { ...scanner, done: done + 1 };
      if (done < puts.length) yield named('puts', next, { rows: this.put(state.rows, puts[done]!) }, sends);
      else yield named('sends', { at: 'idle' }, { cursor: Math.max(state.cursor, bucket + 1) }, sends);
    }
  }

  /** It may have been frozen since it found that a next entry is missing, and since before the edit. */
  private *sweeperSteps(state: ModelState): Generator<ModelStep> {
    const written = this.union(state.rows);
    for (const entry of bitsIn(written)) {
      if (!PLAYED_BUCKETS.includes(bucketOfBit(entry)) || hasBit(written, nextEntryBit(entry))) continue;
      const rows = this.put(state.rows, this.single(nextEntryBit(entry)));
      yield { name: `sweeper puts ${nextEntryBit(entry)}`, to: { ...state, rows } };
    }
  }

  /** The edit: the first entry, then the job, then what is behind the scanner or will not be needed. */
  private *apiSteps(state: ModelState): Generator<ModelStep> {
    const { api, rows } = state;
    const first = entryBit(NEW_SERIES, 1);
    if (api === 'before' && state.cursor < 2)
      yield { name: 'API files', to: { ...state, rows: this.put(rows, this.single(first)), api: 'filed' } };
    if (api === 'filed') yield { name: 'API saves', to: { ...state, api: 'saved' } };
    if (api === 'saved') {
      // Not if any stage may have read it.
      const old = this.single(entryBit(OLD_SERIES, 1));
      const left = state.cursor === 0 ? rows & ~(1 << old) : rows;
      yield { name: 'API deletes', to: { ...state, rows: left, api: 'deleted' } };
    }
    if (api !== 'deleted') return;
    const puts = !hasBit(this.union(rows), nextEntryBit(first));
    if (state.cursor === 0) yield { name: 'API is done', to: { ...state, api: 'done' } };
    else if (puts)
      yield { name: 'API puts', to: { ...state, rows: this.put(rows, this.single(nextEntryBit(first))) } };
    else yield { name: 'API sends', to: { ...state, api: 'done' }, sends: 1 << first };
  }

  private isCurrent(entry: number, { api }: ModelState): boolean {
    const series = seriesOfBit(entry);
    return series !== (isJobSaved(api) ? OLD_SERIES : NEW_SERIES);
  }

  /** The rows that one call puts for the next entries of what is due. */
  private rowsFor(due: number): number[] {
    let plan = this.plans.get(due);
    if (!plan) this.plans.set(due, (plan = this.planFor(due)));
    return plan;
  }

  private planFor(due: number): number[] {
    const next = bitsIn(due).map(nextEntryBit);
    const { packs, alone } = packsOf(next.map((entry) => this.entryOf(entry)));
    const rows = packs.map((row) => {
      const minute = minuteOf(T0_MS) + bucketOfBit(next[0]!);
      const entries = packedEntriesOf(row, minute, 0)!.map((entry) => this.indexOf(entry as OccurrenceEntry));
      const name = this.fault === 'fixed-names' ? `pack of ${row.bucket as string}` : (row.entry as string);
      return this.row({ key: name, entries: entries.reduce((bits, one) => bits | (1 << one), 0) });
    });
    const lone = this.fault === 'dropped-at-border' ? [] : alone;
    return [...rows, ...lone.map((entry) => this.single(this.indexOf(entry as OccurrenceEntry)))];
  }

  private entryOf(index: number): OccurrenceEntry {
    const { job, revision, afterMs } = MODEL_SERIES[seriesOfBit(index)]!;
    const dueAtMs = T0_MS + bucketOfBit(index) * MINUTE_MS + afterMs;
    return anOccurrenceEntry({ jobKey: this.names[job], revision: `r${revision}`, dueAtMs });
  }

  private indexOf({ jobKey, revision, dueAtMs }: OccurrenceEntry): number {
    const series = MODEL_SERIES.findIndex(
      (one) => this.names[one.job] === jobKey && `r${one.revision}` === revision,
    );
    return entryBit(series, Math.floor((dueAtMs - T0_MS) / MINUTE_MS));
  }

  private entryName(index: number): string {
    return entrySortKey(this.entryOf(index));
  }

  private single(entry: number): number {
    return (this.singles[entry] ??= this.row({ key: this.entryName(entry), entries: 1 << entry }));
  }

  private row(row: ModelRow): number {
    const id = `${row.key} ${row.entries}`;
    const known = this.rowIds.get(id);
    if (known !== undefined) return known;
    this.rowIds.set(id, this.rows.length);
    return this.rows.push(row) - 1;
  }

  /** A put replaces the row of its key. */
  private put(rows: number, id: number): number {
    if (!hasBit(this.distinct, id)) return rows | (1 << id);
    const { key } = this.rows[id]!;
    const replaced = this.rows.reduce(
      (bits, row, index) => (row.key === key ? bits | (1 << index) : bits),
      0,
    );
    return (rows & ~replaced) | (1 << id);
  }

  /** The entries in the table. */
  private union(rows: number): number {
    let entries = this.unions.get(rows);
    if (entries === undefined) {
      entries = this.rows.reduce((bits, row, index) => (hasBit(rows, index) ? bits | row.entries : bits), 0);
      this.unions.set(rows, entries);
    }
    return entries;
  }

  /**
   * Both scanners are alike: their order makes no difference. Nor does it matter which row has an entry,
   * unless a put may replace that row, or the API delete it.
   */
  private keyOf({ rows, cursor, scanners, api }: ModelState): string {
    const [one, other] = scanners.map(scannerCode).sort((a, b) => a - b);
    return `${this.union(rows)},${rows & this.distinct},${cursor},${one},${other},${api}`;
  }

  /** Rows whose key has several contents, and the one that the API deletes. */
  private findDistinct(): number {
    for (const bucket of PLAYED_BUCKETS) {
      for (let due = 1; due < 2 ** MODEL_SERIES.length; due++)
        if (!hasBit(due, OLD_SERIES) || !hasBit(due, NEW_SERIES)) this.rowsFor(due << entryBit(0, bucket));
    }
    const isDistinct = (row: ModelRow) => this.rows.filter(({ key }) => key === row.key).length > 1;
    const deleted = 1 << this.single(entryBit(OLD_SERIES, 1));
    return this.rows.reduce((bits, row, index) => (isDistinct(row) ? bits | (1 << index) : bits), deleted);
  }
}

function stepsTo(key: string, cameFrom: ReadonlyMap<string, { before?: string; step: string }>): string[] {
  const steps: string[] = [];
  for (let at: string | undefined = key; at !== undefined;) {
    const { before, step }: { before?: string; step: string } = cameFrom.get(at)!;
    steps.unshift(step);
    at = before;
  }
  return steps;
}
