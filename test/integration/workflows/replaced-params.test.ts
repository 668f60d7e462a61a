import { WorkflowWorld } from '../../support/workflow-world';

const KEYED = { key: 'month', delay: '1m' };

/** A job whose task says in its body which parameters its run has. */
async function withParams() {
  const flow = await WorkflowWorld.started();
  const { world } = flow;
  const bodies: unknown[] = [];
  world.observe = ({ body }) => void bodies.push(JSON.parse(body.toString('utf8')));
  await flow.save(
    { load: { input: { region: '{{ params.region }}', full: '{{ params.full }}' } } },
    {},
    { params: { region: 'eu', full: false } },
  );
  const run = (body: object) => world.api('runJob', { jobId: 'etl' }, { ...KEYED, ...body });
  const view = async (execId: string) => (await world.api('getExecution', { jobId: 'etl', execId })).body;
  return { world, bodies, run, view };
}

test('a run that was replaced has the parameters of the second request', async () => {
  const { world, bodies, run, view } = await withParams();
  const { execId } = (await run({ params: { region: 'us' } })).body as { execId: string };
  await run({ onExisting: 'replace', params: { region: 'jp', full: true } });
  await run({ onExisting: 'replace', params: { full: true } });
  await world.run(90_000);
  expect(bodies).toEqual([{ region: 'eu', full: true }]);
  expect(await view(execId)).toMatchObject({ workflow: { params: { region: 'eu', full: true } } });
  const late = await run({ onExisting: 'replace', params: { region: 'us' } });
  expect(late).toMatchObject({ status: 202, body: { created: true } });
});

test('a replacement without parameters leaves the run with the defaults', async () => {
  const { world, bodies, run } = await withParams();
  await run({ params: { region: 'us' } });
  await run({ onExisting: 'replace' });
  await world.run(90_000);
  expect(bodies).toEqual([{ region: 'eu', full: false }]);
});

test('parameters of a replacement that did not come about change nothing', async () => {
  const { world, bodies, run } = await withParams();
  await run({ params: { region: 'us' } });
  let deaths = 0;
  world.onCall = (stage, { command, input }, kill) => {
    const isReplacement = JSON.stringify(input).includes(':paramsId');
    if (stage !== 'api' || command !== 'UpdateCommand' || !isReplacement) return;
    deaths += 1;
    kill();
  };
  void run({ onExisting: 'replace', params: { region: 'jp' } });
  await world.clock.flush();
  world.onCall = undefined;
  await world.run(90_000);
  expect(deaths).toBe(1);
  expect(bodies).toEqual([{ region: 'us', full: false }]);
});

test('parameters that the workflow does not have are refused, and replace nothing', async () => {
  const { world, bodies, run } = await withParams();
  await run({ params: { region: 'us' } });
  expect(await run({ onExisting: 'replace', params: { regoin: 'jp' } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'params.regoin' }] },
  });
  await world.run(90_000);
  expect(bodies).toEqual([{ region: 'us', full: false }]);
});
