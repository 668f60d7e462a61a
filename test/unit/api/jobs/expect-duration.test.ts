import { ApiWorld } from '../world';

describe('expectDuration is refused', () => {
  const workflow = { tasks: { one: { delay: '1m' } } };
  const monitor = { type: 'monitor', pingWithin: '10m' };
  const cases: [how: string, definition: object, path: string, message: string][] = [
    ['without a bound', { expectDuration: {} }, 'expectDuration', 'must have min, max or both'],
    [
      'below a second',
      { expectDuration: { min: '0s' } },
      'expectDuration.min',
      '"0s" is out of range: must be from 1s to 366d',
    ],
    [
      'beyond the longest errand',
      { expectDuration: { max: '367d' } },
      'expectDuration.max',
      '"367d" is out of range: must be from 1s to 366d',
    ],
    [
      'with bounds that exclude each other',
      { expectDuration: { min: '10m', max: '5m' } },
      'expectDuration.max',
      '"5m" must be at least min, "10m"',
    ],
    [
      'beyond the time of a run',
      { target: undefined, workflow, timeout: '2h', expectDuration: { max: '3h' } },
      'expectDuration.max',
      '"3h" is out of range: must be from 1s to 2h, the timeout',
    ],
    [
      'beyond the usual time of a run',
      { target: undefined, workflow, expectDuration: { min: '25h' } },
      'expectDuration.min',
      '"25h" is out of range: must be from 1s to 24h, the timeout',
    ],
    [
      'beyond the time of a monitored run',
      { target: monitor, expectDuration: { max: '11m' } },
      'expectDuration.max',
      '"11m" is out of range: must be from 1s to 10m, the timeout',
    ],
    [
      'beyond what is known of a monitored run',
      { target: monitor, timeout: '30d', expectDuration: { max: '73h' } },
      'expectDuration.max',
      '"73h" is out of range: must be from 1s to 72h for a monitor',
    ],
  ];
  it.each(cases)('%s', async (_how, definition, path, message) => {
    const world = new ApiWorld();
    const schedule = { type: 'cron', expression: '0 * * * *', timezone: 'UTC' };
    expect(await world.create({ schedule, ...definition })).toMatchObject({
      status: 400,
      body: { errors: [{ path, message }] },
    });
  });
});
