import fc from 'fast-check';

import { DEFINITION_FIELDS, definitionOf } from '../../../../cli/schedules-as-code/definition';
import { scheduleOf } from '../../../../cli/schedule-text';
import { IS_DEEP } from '../../../support/deep';
import { Session } from '../terminal-session';
import { DRAWN_FIELDS, job, type RandomJob } from './random-jobs';

/** Projects of 25 jobs. */
const PROJECTS = IS_DEEP ? 200 : 8;

test('each field of a definition is drawn', () => {
  expect([...DRAWN_FIELDS].sort()).toEqual([...DEFINITION_FIELDS].sort());
});

test('a project gives another one the same definitions, by JSON and by YAML', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { minLength: 25, maxLength: 25 }),
      fc.constantFrom('json', 'yaml'),
      async (jobs, format) => {
        const [session, other] = [await prepared(), await prepared()];
        try {
          const ids = await create(session, jobs);
          accepted += ids.length;
          const exported = await session.run(`export json --format ${format}`);
          const applied = await other.run('apply - --yes', { stdin: exported.stdout });
          expect(applied).toMatchObject({ stderr: '', exitCode: 0 });
          for (const jobId of ids) expect(await stored(other, jobId)).toEqual(await stored(session, jobId));
        } finally {
          for (const one of [session, other]) one.end();
        }
      },
    ),
    { numRuns: PROJECTS, seed: 20_261_128, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(PROJECTS * 10);
});

/** A project with what no file of jobs can have. */
async function prepared(): Promise<Session> {
  const session = new Session();
  await session.run('secrets set crm --host example.com', { stdin: 'very-secret-value' });
  await session.run('concurrency-keys set db --limit 2');
  return session;
}

/** The ids of those that the API takes. */
async function create({ world }: Session, jobs: readonly RandomJob[]): Promise<string[]> {
  const calendar = { timezone: 'Europe/Berlin', dates: ['2026-12-24'] };
  await world.call('PUT /v1/calendars/{calendarId}', { calendarId: 'holidays' }, calendar);
  const put = (jobId: string, body: object) => world.call('PUT /v1/jobs/{jobId}', { jobId }, body);
  await put('base', { schedule: { type: 'none' }, target: { type: 'worker', queue: 'a' } });
  const ids = ['base'];
  for (const [index, { definition, paused }] of jobs.entries()) {
    const jobId = `job-${index}`;
    if ((await put(jobId, definition)).status !== 201) continue;
    if (paused) await world.call('POST /v1/jobs/{jobId}/pause', { jobId });
    ids.push(jobId);
  }
  return ids;
}

/** A schedule of a file is an object, if it is not one of AWS. */
async function stored({ world }: Session, jobId: string): Promise<unknown> {
  const { body } = await world.call('GET /v1/jobs/{jobId}', { jobId });
  const { schedule, ...rest } = definitionOf(body as object);
  const { status } = body as { status: string };
  return { ...rest, schedule: typeof schedule === 'string' ? scheduleOf(schedule) : schedule, status };
}
