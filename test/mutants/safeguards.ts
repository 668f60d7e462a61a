import type { Mutant } from './mutant';

const EXECUTE_BATCH = 'lambdas/executor/execute-batch.ts';

const READS_AFTER_CLAIM = `  const claimed = await claimAll(toClaim, prepared.claims, failedIds, deps);
  const working = new Set(claimed.map(({ received }) => received.id));
  for (const { id } of group) if (!working.has(id)) batch.done(id);
  if (claimed.length === 0) return [];
  const reading = readJobs(
    claimed.map(({ execution }) => execution.jobKey),
    group,
    deps,
  );
  const readingRuns = readRuns(claimed, deps);
`;
const READS_BEFORE_CLAIM = `  const asClaimed = toClaim.map(({ message }) => ({ execution: message }));
  const readingRuns = Promise.resolve(await readRuns(asClaimed as never, deps));
${READS_AFTER_CLAIM.replace('  const readingRuns = readRuns(claimed, deps);\n', '')}`;

/** The safeguards that no other list of mutants takes away. */
export const safeguardMutants: readonly Mutant[] = [
  {
    name: 'a run is not rechecked',
    file: 'lambdas/sweeper/recheck-entry.ts',
    find: 'else if (isAlive(execution)) await context.deps.recheckRun(execution, job, context);',
    replace: 'else if (isAlive(execution)) void 0;',
    killedBy: 'test/integration/workflows/faults.test.ts',
    test: 'die-between-mark-and-send',
  },
  {
    name: 'the run of a task is read before the claim',
    file: EXECUTE_BATCH,
    find: READS_AFTER_CLAIM,
    replace: READS_BEFORE_CLAIM,
    killedBy: 'test/integration/workflows/interleavings.test.ts',
    test: 'cancel-meets-claim',
  },
];

/** What keeps the promises of runs: without it, seeds of a profile of the simulation break a promise. */
export interface Safeguard {
  /** What the code does with it. */
  says: string;
  /** The mutant that takes it out. */
  mutant: string;
  profile: string;
  /** The first seed that breaks a promise. A change of timelines may change it. */
  seed: number;
}

const safeguard = (says: string, mutant: string, seed: number): Safeguard => ({
  says,
  mutant,
  profile: 'run-races',
  seed,
});

/** The eleven safeguards without which the model of the protocol broke. */
export const SAFEGUARDS: readonly Safeguard[] = [
  safeguard('a task is marked after it has ended', 'a task is marked before it has ended', 1),
  safeguard('a run is rechecked until it has ended', 'a run is not rechecked', 1),
  safeguard(
    'a stop names what may have been sent before',
    'a stop does not name what may have been sent before',
    1,
  ),
  safeguard('what is open at a stop stays open', 'what is open at a stop does not stay open', 1),
  safeguard('the run of a task is read after the claim', 'the run of a task is read before the claim', 1),
  safeguard(
    'a claimed task obeys a pause of its run',
    'a claimed task does not ask whether its run is paused',
    1,
  ),
  safeguard('a mark asks for the round of its task', 'a mark does not ask for the round of its task', 2),
  safeguard(
    'no task is opened again while what follows on it may be at work',
    'a task is opened again while what follows on it may be at work',
    3,
  ),
  safeguard(
    'the end of a run asks for the moves seen',
    'the end of a run does not ask for the moves seen',
    60,
  ),
  safeguard(
    'a skip, a pause or a retry of a task asks for the moves seen',
    'a skip, a pause or a retry of a task does not ask for the moves seen',
    4,
  ),
  safeguard('a stop asks for the moves seen', 'a stop does not ask for the moves seen', 30),
];

/** A fault against docs/adr/0016, and the seed of the simulation that breaks its invariant. */
export interface ClaimFault {
  mutant: string;
  breaks: 'given-up' | 'lost' | 'repaired-without-loss';
  /** A mode or a profile. */
  kind: string;
  /** The first seed that breaks it. A change of timelines may change it. */
  seed: number;
}

export const CLAIM_FAULTS: readonly ClaimFault[] = [
  {
    mutant: 'a write that is given up is not aborted',
    breaks: 'given-up',
    kind: 'lost-api-writes',
    seed: 1,
  },
  {
    mutant: 'an entry that is given up is not aborted',
    breaks: 'given-up',
    kind: 'lost-api-writes',
    seed: 1,
  },
  {
    mutant: 'entries are sent although no time is left for them',
    breaks: 'given-up',
    kind: 'lost-api-writes',
    seed: 3,
  },
  {
    mutant: 'the auditor does not wait for a scanner that is behind',
    breaks: 'repaired-without-loss',
    kind: 'safety',
    seed: 4,
  },
];
