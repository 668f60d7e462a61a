import { BANNED_TERMS } from '../../../scripts/lint/language/banned-terms.mjs';
import { checkSources } from '../../../scripts/lint/language/check.mjs';

/** Ids of the terms found, without repeats. */
function termsIn(path: string, text: string): (string | undefined)[] {
  const { findings } = checkSources([[path, text]], { exceptions: [] });
  return [...new Set(findings.filter(({ rule }) => rule === 'term').map(({ term }) => term))];
}

const PROSE: [id: string, text: string, path?: string][] = [
  ['look', 'The second look finds it.'],
  ['look', 'Each entry is looked at.'],
  ['glance', 'One glance at each bucket.'],
  ['what got lost', 'It repairs what got lost.'],
  ['what comes late', 'It keeps what comes late.'],
  ['set aside', 'The entry is set aside.'],
  ['stretch', 'A stretch of skipped ones.'],
  ['accounted for', 'Every fire is accounted for.'],
  ['stands for', 'The row stands for several.'],
  ['reach', 'A row ends the reach of those before it.'],
  ['line', 'It waits in line.'],
  ['line', 'The next one joins the line.'],
  ['place', 'It keeps its place.', 'lambdas/a.ts'],
  ['turn', 'It waits for its turn.'],
  ['nudge', 'A caller nudges it.'],
  ['head', 'The one at the head is silent.'],
  ['hold', 'A finisher leaves the hold.'],
  ['take the job', 'It frees the job.'],
  ['hand over', 'The lease is handed over.'],
  ['hand over', 'After the hand-over it ends.'],
  ['beat', 'The next beat says so.'],
  ['make way', 'It makes way.'],
  ['conclude', 'It concludes the attempt.'],
  ['come to', 'What an attempt came to.'],
  ['answer of a target', "The target's answer is kept."],
  ['verdict', 'The verdict is no.'],
  ['judge', 'It is judged by its schedule.'],
  ['refused (URL)', 'Refused URLs are listed.'],
  ['revive', 'A revival removes it.'],
  ['transient', 'A transient error.'],
  ['note a report', 'It notes the report.'],
  ['keep late', 'A result that is kept late.'],
  ['ask to cancel', 'It was asked to cancel.'],
  ['standing', 'The standing of an entry.'],
  ['chain', 'The chain goes on.'],
  ["scanner's step", "It does the scanner's step."],
  ['quiet', 'Quiet shards move together.'],
  ['in force', 'The number in force.'],
  ['in step', 'The scanner sends in step.'],
  ['stopped', 'While the deployment is stopped.'],
  ['share', 'Each has a fair share.'],
  ['share', 'More than a user’s share.'],
  ['announce', 'It announces the end.'],
  ['told', 'Its success is told by the row.'],
  ['instruments', 'The instruments of a stage.'],
  ['stamp', 'Within its stamp.'],
  ['outlook', 'The outlook of a job.'],
  ['hop', 'Each hop is counted.'],
  ['mark', "The request's mark.", 'lambdas/api/a.ts'],
  ['bears', 'The row bears an etag.'],
  ['remembered', 'The count is remembered.'],
  ['on first use', 'It is made on first use.'],
  ['time left', 'While there is time left.'],
  ['chance', 'Time and chance.'],
  ['leave', 'The name, and leave to read it.'],
  ['plant', 'The plant is left out.', 'bench/a.ts'],
  ['tally', 'A tally of requests.'],
  ['lesion', 'A lesion strikes.'],
  ['suffer', 'It suffers a fault.'],
  ['mourn', 'The mourners are called.'],
  ['tapped', 'The tapped table.'],
  ['whoever', 'Whoever waits is woken.'],
  ['somebody', "Somebody else's user."],
  ['nobody', 'Nobody reads it.'],
  ["one's own", 'The row is one’s own.'],
  ['others', 'It was moved by others.'],
  ['others', 'Later, others may read it.'],
  ['thereof', 'The key, or a part thereof.'],
];

const NAMES: [id: string, name: string, path?: string][] = [
  ['look', 'lookAtEntry'],
  ['look', 'SECOND_LOOK_AFTER_MS'],
  ['glance', 'Glance'],
  ['set aside', 'EntriesSetAside'],
  ['stretch', 'recordStretch'],
  ['accounted for', 'accountedFor'],
  ['stands for', 'standsFor'],
  ['reach', 'reachMsOf'],
  ['line', 'LineStore'],
  ['place', 'PlaceRef', 'lambdas/a.ts'],
  ['turn', 'takeTurn'],
  ['nudge', 'nudgeAhead'],
  ['head', 'hasHead'],
  ['hold', 'HoldStore'],
  ['take the job', 'leaveJob'],
  ['held', 'HeldLease'],
  ['held', 'held', 'lambdas/executor/a.ts'],
  ['hand over', 'handedOver'],
  ['beat', 'BeatOutcome'],
  ['make way', 'makeWay'],
  ['pass on', 'passOn'],
  ['conclude', 'concludeWithoutCall'],
  ['come to', 'cameTo'],
  ['answer of a target', 'Answer'],
  ['verdict', 'verdictOn'],
  ['judge', 'UrlJudgement'],
  ['gravity', 'GRAVITY'],
  ['revive', 'revived'],
  ['transient', 'isTransient'],
  ['note a report', 'noteReport'],
  ['keep late', 'keepLate'],
  ['leave running', 'leaveRunning'],
  ['ask to cancel', 'cancelAsked'],
  ['standing', 'standingOf'],
  ['chain', 'followChain'],
  ['quiet', 'passQuiet', 'lambdas/a.ts'],
  ['busy', 'busy', 'lambdas/a.ts'],
  ['in force', 'shardsInForce'],
  ['in step', 'isInStep'],
  ['stopped', 'heldBack'],
  ['share', 'fairShare'],
  ['place of ARN', 'placeOf', 'lambdas/core/delivery/a.ts'],
  ['announce', 'announced'],
  ['told', 'toldToNobody'],
  ['telling', 'telling'],
  ['instruments', 'instrumentsOf'],
  ['acknowledged', 'acknowledged', 'lambdas/api/a.ts'],
  ['stamp', 'takeStamp'],
  ['outlook', 'outlookOf'],
  ['hop', 'MAX_HOPS'],
  ['mark', 'markOf', 'lambdas/api/a.ts'],
  ['bears', 'bears'],
  ['as listed', 'asListed'],
  ['error names', 'NotSent'],
  ['Problem', 'Problem', 'lambdas/api/a.ts'],
  ['remembered', 'remembered'],
  ['on first use', 'onFirstUse'],
  ['time left', 'timeLeft'],
  ['chance', 'FakeChance'],
  ['leave', 'leaveFor'],
  ['plant', 'Plant', 'bench/a.ts'],
  ['tally', 'tally'],
  ['lesion', 'lesionFor'],
  ['suffer', 'suffer'],
  ['mourn', 'mourners'],
  ['elsewhere', 'Elsewhere'],
  ['elsewhere', 'sentElsewhere', 'local/a.ts'],
  ['guarded', 'guarded', 'local/a.ts'],
  ['tapped', 'tapped'],
  ['stopping', 'Stopping'],
  ['whoever', 'whoeverWaits'],
  ['somebody', 'somebodyElse'],
  ['nobody', 'nobodyCancels'],
];

const PATHS: [id: string, path: string][] = [
  ['english', 'lambdas/core/contracts/english.ts'],
  ['cases', 'bench/cost/cases.ts'],
  ['checkout', 'local/checkout.ts'],
  ['stopping', 'local/stopping.ts'],
];

test.each(PROSE)('%s, in prose: %s', (id, text, path = 'docs/a.md') => {
  const prose = path.endsWith('.md') ? text : `/* ${text} */`;
  expect(termsIn(path, prose)).toContain(id);
});

test.each(NAMES)('%s, in names: %s', (id, name, path = 'scripts/a.ts') => {
  expect(termsIn(path, `const ${name} = 1;\n`)).toContain(id);
});

test.each(PATHS)('%s, in paths: %s', (id, path) => {
  expect(termsIn(path, '')).toEqual([id]);
});

test('each term has a sample, in prose and in names where it has both', () => {
  const ids = (samples: readonly (readonly [id: string, ...rest: unknown[]])[]) => samples.map(([id]) => id);
  const terms = BANNED_TERMS.map(({ id }) => id);
  expect(new Set([...ids(PROSE), ...ids(NAMES), ...ids(PATHS)])).toEqual(new Set(terms));
  const missing = BANNED_TERMS.filter(
    ({ id, prose, names }) =>
      (prose && !ids(PROSE).includes(id)) || (names && ![...ids(NAMES), ...ids(PATHS)].includes(id)),
  );
  expect(missing).toEqual([]);
});

/** The same words in their ordinary sense; each text ends with a term, so it was read. */
test.each([
  'The rules hold, and the lock holds the key.',
  'Look up the address; it looks like an ARN.',
  'Each line of text in the file, on the command line.',
  'In turn, the executor returns.',
  'It takes place in place of the other.',
  'The promise chain and the certificate chain.',
  'The function name, in order to leave it.',
  'A long-standing limit.',
  'Time zones; the time of the call.',
  'The upbeat heartbeat.',
  'They share one row; shared queues.',
  'The first one’s row, and the other one’s row.',
  'The others are read later.',
  'It answers 202, and the answer has a body.',
  'The header is Quarterjack-Hop.',
  'All is quiet.',
  'The condition held.',
  'Elsewhere the clock is local.',
  'The page is announcer-free.',
])('ordinary: %s', (text) => {
  expect(termsIn('docs/a.md', `${text} Whoever.`)).toEqual(['whoever']);
});

test.each([
  'lookup',
  'onlookers',
  'outline',
  'placeholder',
  'returned',
  'holdsRecords',
  'foreheads',
  'heartbeat',
  'shared',
])('ordinary: %s', (name) => {
  expect(termsIn('lambdas/a.ts', `const ${name} = whoever;\n`)).toEqual(['whoever']);
});

test.each([
  ['held', 'lambdas/core/store/a.ts'],
  ['busy', 'local/a.ts'],
  ['place', 'local/a.ts'],
  ['acknowledged', 'test/simulation/a.ts'],
  ['quiet', 'local/a.ts'],
  ['Answer', 'client/a.ts'],
  ['english', 'lambdas/a.ts'],
  ['cases', 'bench/cost/a.ts'],
])('ordinary: %s in %s', (name, path) => {
  expect(termsIn(path, `const ${name} = whoever;\n`)).toEqual(['whoever']);
});
