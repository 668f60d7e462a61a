import { doneMessages } from '../../../../local/sources/batch-outcome';

const BATCH = ['a', 'b', 'c'];
const done = (response: unknown, reports = true) =>
  doneMessages(BATCH, { ok: true, payload: JSON.stringify(response) as string | undefined }, reports);

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['an empty object', {}],
  ['no list', { batchItemFailures: null }],
  ['an empty list', { batchItemFailures: [] }],
])('%s: all are done', (_, response) => expect(done(response)).toEqual(BATCH));

test('reported failures are not done, the other messages are', () => {
  expect(done({ batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'b' }] })).toEqual(['a', 'c']);
});

test.each<[string, unknown]>([
  ['an id that is not in the batch', [{ itemIdentifier: 'a' }, { itemIdentifier: 'x' }]],
  ['an empty id', [{ itemIdentifier: '' }]],
  ['a null id', [{ itemIdentifier: null }]],
  ['another key', [{ itemId: 'a' }]],
  ['a null entry', [null]],
  ['no list', 'a'],
])('%s: none is done', (_, batchItemFailures) => expect(done({ batchItemFailures })).toEqual([]));

test('an error, a crash or a timeout: none is done', () => {
  const error = { errorType: 'Error', errorMessage: 'x', trace: [] };
  expect(doneMessages(BATCH, { ok: false, error }, true)).toEqual([]);
  expect(doneMessages(BATCH, { ok: false, error }, false)).toEqual([]);
});

test('a mapping without item failures treats any response as success', () => {
  expect(done({ batchItemFailures: [{ itemIdentifier: 'a' }] }, false)).toEqual(BATCH);
});
