import {
  holding,
  marking,
  resuming,
  type RunEdit,
} from '../../../../../lambdas/core/domain/workflow/run-edits';
import { T0_MS } from '../../../../support/factories';
import { aRunState } from '../../../../support/workflow-factories';

const BY = { sub: 'alice', name: null, via: 'token' } as const;
const MINUTE_MS = 60_000;
const LATER_MS = T0_MS + 10 * MINUTE_MS;
const run = aRunState({ marks: { 0: 's1' }, rounds: { 1: '2' }, go: { 1: '5' } });
const { endsAtMs } = run;

test.each<[what: string, edit: RunEdit, wanted: RunEdit]>([
  ['a pause names its time and its user', holding(BY, LATER_MS), { set: { heldAtMs: LATER_MS, heldBy: BY } }],
  [
    'a resumption moves the end of the run by the time that it was held',
    resuming({ ...run, heldAtMs: LATER_MS - 3 * MINUTE_MS }, LATER_MS),
    { set: { endsAtMs: endsAtMs + 3 * MINUTE_MS, touchedAtMs: LATER_MS }, remove: ['heldAtMs', 'heldBy'] },
  ],
  [
    'a resumption by a clock behind that of the pause moves no end',
    resuming({ ...run, heldAtMs: LATER_MS + 1 }, LATER_MS),
    { set: { endsAtMs, touchedAtMs: LATER_MS }, remove: ['heldAtMs', 'heldBy'] },
  ],
  [
    'a skip adds its mark to those there are',
    marking(run, '1', 'skipped', { nowMs: T0_MS + 72_003_000 }),
    { set: { marks: { 0: 's1', 1: 'x1jk3' } } },
  ],
  [
    'so does a cancel',
    marking(run, '1', 'cancelled', { nowMs: T0_MS + 72_003_000 }),
    { set: { marks: { 0: 's1', 1: 'c1jk3' } } },
  ],
  [
    'the skip of a switch names the branch that it takes',
    marking(run, '1', 'skipped', { nowMs: T0_MS + 4_999, branch: 37 }),
    { set: { marks: { 0: 's1', 1: 'x4.11' } } },
  ],
  [
    'a skip by a clock behind that of the start is marked at the start',
    marking(run, '1', 'skipped', { nowMs: T0_MS - 5_000 }),
    { set: { marks: { 0: 's1', 1: 'x0' } } },
  ],
])('%s', (_, edit, wanted) => {
  expect(edit).toEqual(wanted);
  expect(run.marks).toEqual({ 0: 's1' });
});
