import { ApiWorld } from '../world';

const ON = [408, 425, 429, '5xx'];
const QUEUE = 'https://sqs.us-east-1.amazonaws.com/111122223333/orders';

describe('the retry policy of a job', () => {
  it('is stored without default jitter and statuses, and shown with them', async () => {
    const world = new ApiWorld();
    const { body } = await world.create({ jobId: 'a', retry: { jitter: 'full', on: ON } });
    expect(body.retry).toMatchObject({ jitter: 'full', on: ON });
    const { retry } = (await world.jobRow('a'))!;
    expect(Object.keys(retry).sort()).toEqual([
      'initialDelay',
      'maxAge',
      'maxAttempts',
      'maxDelay',
      'multiplier',
    ]);
  });

  it('changes by a patch, whose list replaces the old one, and null brings the default back', async () => {
    const world = new ApiWorld();
    await world.create({ jobId: 'a', retry: { on: [409, 503] } });
    const fixed = { initialDelay: '30s', multiplier: 1, jitter: 'none', on: ['4xx'] };
    expect((await world.patch('a', { retry: fixed })).body.retry).toMatchObject(fixed);
    expect((await world.patch('a', { retry: { on: null, jitter: null } })).body.retry).toMatchObject({
      initialDelay: '30s',
      jitter: 'full',
      on: ON,
    });
    expect((await world.jobRow('a'))!.retry).not.toHaveProperty('on');
  });

  it('may name statuses only if a target has type http', async () => {
    const world = new ApiWorld();
    const target = { type: 'sqs', queueUrl: QUEUE };
    const rejected = await world.create({ jobId: 'a', target, retry: { on: [409] } });
    expect(rejected).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'retry.on', message: expect.stringMatching(/^\[409\] requires .*"http"/) }] },
    });
    const http = { type: 'http', url: 'https://example.com/hook' };
    const both = await world.create({
      jobId: 'b',
      target: undefined,
      targets: [http, http],
      retry: { on: [] },
    });
    expect(both).toMatchObject({ status: 201, body: { retry: { on: [] } } });
  });
});
