import { Quarterjack } from '../../../client';
import { JOB, json, problem } from './fake-api';

/** A client with a note of its own, and the notes of the requests that it sent. */
function noting(responses: Response[], note?: string) {
  const notes: (string | null)[] = [];
  const client = new Quarterjack({
    url: 'https://api.test',
    note,
    surroundings: {
      sleep: () => Promise.resolve(),
      fetch: async (request) => {
        notes.push(request.headers.get('quarterjack-note'));
        return responses.shift()!;
      },
    },
  });
  return { client, notes };
}

const job = () => json(200, { jobId: 'a' });

test('a note is percent-encoded, and sent again with each try', async () => {
  const { client, notes } = noting([problem(503), job(), json(202, { execId: 'e', status: 'cancelled' })]);
  await client.jobs.create(JOB, { note: 'für 5 %' });
  await client.executions.cancel('a', 'e', { note: 'no' });
  expect(notes).toEqual(['f%C3%BCr%205%20%25', 'f%C3%BCr%205%20%25', 'no']);
});

test('the note of a client is sent with its changes alone; that of a call takes its place', async () => {
  const { client, notes } = noting([job(), job(), job()], 'release 7');
  await client.jobs.get('a');
  await client.jobs.pause('a');
  await client.jobs.resume('a', { note: 'other' });
  expect(notes).toEqual([null, 'release%207', 'other']);
});

test('a note with half of a surrogate pair is rejected before a request is sent', async () => {
  expect(() => noting([], '\ud800')).toThrow('half of a surrogate pair');
  const { client, notes } = noting([]);
  await expect(async () => client.jobs.pause('a', { note: '\ud800' })).rejects.toThrow('surrogate pair');
  expect(notes).toEqual([]);
});

test('revoking a key again after a lost answer succeeds', async () => {
  const { client } = noting([problem(503), problem(404)]);
  await expect(client.apiKeys.revoke('k')).resolves.toBeUndefined();
});
