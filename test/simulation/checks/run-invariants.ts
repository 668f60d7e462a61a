import type { Invariant } from '../violation';

/** A file of tests, and a text that names the one that is meant. */
type NamedTest = readonly [file: string, text: string];

interface RunInvariant {
  /** W1 to W18. */
  id: string;
  name: string;
  says: string;
  /** What proves it: invariants that the simulation checks, and tests. */
  provenBy: { checks?: readonly Invariant[]; tests?: readonly NamedTest[] };
}

const DERIVE = 'test/unit/core/domain/workflow/derive.test.ts';
const FAN_OUTS = 'test/integration/workflows/fan-outs.test.ts';
const PROMISES = 'test/integration/workflows/promises.test.ts';
const BACKFILLS = 'test/integration/workflows/backfill-runs.test.ts';
const COST = 'test/integration/pipeline/cost.test.ts';

/** What holds for every run of a workflow. */
export const RUN_INVARIANTS: readonly RunInvariant[] = [
  {
    id: 'W1',
    name: 'run-ends',
    says: 'a run that was claimed ends within its time, and the ten minutes of its finally tasks',
    provenBy: { checks: ['run-ends', 'unfinished'] },
  },
  {
    id: 'W2',
    name: 'not-before',
    says: 'no task is called before its dependencies allow it, by the marks when it was claimed',
    provenBy: { checks: ['not-before'] },
  },
  {
    id: 'W3',
    name: 'once-a-round',
    says: 'a task ends once in a round, and rounds rise by one',
    provenBy: { checks: ['once-a-round', 'success-kept'] },
  },
  {
    id: 'W4',
    name: 'lease',
    says: 'the claims of a task lie one after another, and their fences rise',
    provenBy: { checks: ['lease', 'fence'] },
  },
  {
    id: 'W5',
    name: 'mark-says-row',
    says: 'a mark comes after the end of its task and says the same; a task that has ended gets its mark',
    provenBy: { checks: ['mark-says-row'] },
  },
  {
    id: 'W6',
    name: 'none-outlives',
    says: 'when a run ends, no task of it is at work, and none begins afterwards',
    provenBy: { checks: ['none-outlives'] },
  },
  {
    id: 'W7',
    name: 'ends-once',
    says: 'a run ends once, with the status that its marks say',
    provenBy: { checks: ['ends-once'] },
  },
  {
    id: 'W8',
    name: 'monotone',
    says: 'what is settled stays, and what is ready does not wait again',
    provenBy: { checks: ['monotone'], tests: [[DERIVE, 'no settled task changes as others end']] },
  },
  {
    id: 'W9',
    name: 'stopped',
    says: 'no task is called while its run is paused, nor after it was stopped, except finally tasks',
    provenBy: { checks: ['stopped'] },
  },
  {
    id: 'W10',
    name: 'same-version',
    says: 'a run has one version of its workflow from its start to its end',
    provenBy: { checks: ['same-version'] },
  },
  {
    id: 'W11',
    name: 'same-bytes',
    says: 'the body of a task is the same on each attempt of a round',
    provenBy: { tests: [[PROMISES, 'W11 same-bytes']] },
  },
  {
    id: 'W12',
    name: 'window',
    says: 'a fan-out keeps to its concurrency, each of its items ends once, and the outputs are in order',
    provenBy: {
      checks: ['window', 'once-a-round'],
      tests: [[FAN_OUTS, 'hands on the outputs in their order']],
    },
  },
  {
    id: 'W13',
    name: 'children',
    says: 'a child begins while its task is ready, its end marks that task, and no child outlives its run',
    provenBy: { checks: ['children'] },
  },
  {
    id: 'W14',
    name: 'no-deadlock',
    says: 'runs that wait for runs end',
    provenBy: { checks: ['run-ends'], tests: [['test/simulation/profiles/children.ts', "'queue'"]] },
  },
  {
    id: 'W15',
    name: 'ledger',
    says: 'each task of a run that has ended has a status, and names the tasks that explain it',
    provenBy: { tests: [[PROMISES, 'W15 ledger']] },
  },
  {
    id: 'W16',
    name: 'apart',
    says: 'no row and no delivery of a run names another project',
    provenBy: { tests: [['test/e2e/access/expected.ts', '/executions/{execId}/tasks']] },
  },
  {
    id: 'W17',
    name: 'backfill',
    says: 'a backfill runs each date once, within its window, and costs no other execution its run',
    provenBy: { checks: ['backfill', 'window'], tests: [[BACKFILLS, 'costs it nothing']] },
  },
  {
    id: 'W18',
    name: 'cost',
    says: 'a run costs 4 write units and 3 for each task, if nothing goes wrong',
    provenBy: { tests: [[COST, "'workflowRun'"]] },
  },
];

const FAULTS = 'test/integration/workflows/faults.test.ts';
const FAN_OUT_FAULTS = 'test/integration/workflows/fan-out-faults.test.ts';
const ORDERS = 'test/integration/workflows/interleavings.test.ts';
const USERS = 'test/integration/workflows/user-interleavings.test.ts';
const CHILDREN = 'test/integration/workflows/child-orders.test.ts';

/** Orders of writes that have tests of their own, by name. */
export const INTERLEAVINGS: readonly { name: string; file: string }[] = [
  { name: 'last-two-end-together', file: FAULTS },
  { name: 'diamond-both-parents-see-ready', file: ORDERS },
  { name: 'die-between-finish-and-mark', file: FAULTS },
  { name: 'die-between-mark-and-send', file: FAULTS },
  { name: 'mark-answer-lost-and-retried', file: ORDERS },
  { name: 'stop-meets-mark', file: ORDERS },
  { name: 'cancel-meets-claim', file: ORDERS },
  { name: 'cancel-in-the-finally-phase', file: ORDERS },
  { name: 'any-join-starts-then-its-other-parent-is-stopped', file: ORDERS },
  { name: 'report-after-stop', file: ORDERS },
  { name: 'report-repeated-after-the-api-died', file: FAULTS },
  { name: 'takeover-by-recheck-while-the-old-one-marks', file: ORDERS },
  { name: 'job-deleted-and-made-again-mid-run', file: FAULTS },
  { name: 'definition-changed-between-claim-and-start', file: ORDERS },
  { name: 'rechecks-of-one-run-fall-together', file: ORDERS },
  { name: 'deployment-stopped-mid-run', file: FAULTS },
  { name: 'old-executor-gets-a-newer-message', file: ORDERS },
  { name: 'ttl-took-a-row-the-dead-letter-queue-kept', file: ORDERS },
  { name: 'frozen-recheck-marks-an-old-round', file: USERS },
  { name: 'end-meets-task-retry', file: USERS },
  { name: 'handler-started-then-its-cause-is-retried', file: USERS },
  { name: 'end-meets-skip', file: USERS },
  { name: 'skip-of-a-waiting-task-that-becomes-blocked', file: USERS },
  { name: 'claim-meets-pause-meets-resume', file: USERS },
  { name: 'two-lay-out-one-fan-out', file: FAN_OUT_FAULTS },
  { name: 'dispense-dies-after-add', file: FAN_OUT_FAULTS },
  { name: 'segment-fills-twice', file: FAN_OUT_FAULTS },
  { name: 'child-ends-before-its-row-is-known-to-the-parent', file: CHILDREN },
  { name: 'child-skipped-by-overlap', file: CHILDREN },
  { name: 'parent-cancelled-as-child-starts', file: CHILDREN },
  { name: 'grandchild-of-the-same-job', file: CHILDREN },
  { name: 'two-saves-close-a-cycle', file: CHILDREN },
  { name: 'backfill-meets-schedule', file: BACKFILLS },
];
