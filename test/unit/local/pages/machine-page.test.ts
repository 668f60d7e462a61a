import { machinePage } from '../../../../local/pages/machine-page';
import { EcsTasks } from '../../../../local/services/ecs/tasks';
import { MachineExecutions } from '../../../../local/services/step-functions/machine-executions';
import { Works } from '../../../../local/services/works/works';

let ids = 0;
const common = {
  clock: { nowMs: () => 1_000 },
  newId: () => `id-${++ids}`,
  scripts: [],
  path: undefined,
  publish: async () => undefined,
};

/** A page on which one piece of work of each kind runs, and one task that was refused. */
function page() {
  const machines = new MachineExecutions(common);
  machines.start('arn:aws:states:us-east-1:000000000000:stateMachine:m', 'qj-1', '{}');
  const tasks = new EcsTasks({ ...common, scripts: [{ family: 'full', lastsMs: 1, ends: ['no-room'] }] });
  for (const family of ['t', 'full'])
    tasks.run({
      cluster: 'arn:aws:ecs:us-east-1:000000000000:cluster/c',
      taskDefinition: `arn:aws:ecs:us-east-1:000000000000:task-definition/${family}`,
      clientToken: family,
      startedBy: family,
    });
  const jobs = new Works({ ...common, service: 'batch', tell: () => ({}) as never });
  jobs.start({ arn: 'b', id: 'b', of: 'definition', name: 'qj-2', request: {} });
  const runs = new Works({ ...common, service: 'glue', tell: () => ({}) as never });
  runs.start({ arn: 'g', id: 'g', of: 'etl', name: 'qj-3', request: {} });
  opened.push(machines, tasks, jobs, runs);
  const { read, act } = machinePage([machines, tasks, jobs, runs]);
  const rowOf = (of: string) => read().executions.find((one) => one.of.startsWith(of))!;
  return { rowOf, press: (of: string, button: string) => act({ arn: rowOf(of).arn, act: button }) };
}

const opened: { stop(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.stop();
});

test.each([
  ['m', 'end well', 'SUCCEEDED', undefined],
  ['m', 'end badly', 'FAILED', 'ended by hand'],
  ['t', 'end well', 'STOPPED', 'exit 0'],
  ['t', 'end badly', 'STOPPED', 'exit 1'],
  ['t', 'interrupt it', 'STOPPED', 'Your Spot Task was interrupted.'],
  ['definition', 'end well', 'ENDED', 'exit-0'],
  ['definition', 'interrupt it', 'ENDED', 'host-gone'],
  ['etl', 'end badly', 'ENDED', 'failed'],
])('%s: "%s"', (of, button, status, cause) => {
  const { rowOf, press } = page();
  expect(rowOf(of).buttons).toContain(button);
  expect(press(of, button)).toBeDefined();
  expect(rowOf(of)).toMatchObject({ status, cause, buttons: ['send it twice'] });
});

test.each([
  ['lose the event', 'lost'],
  ['send it twice', 'twice'],
])('"%s" says how the event of the end is delivered', (button, delivery) => {
  const { rowOf, press } = page();
  press('definition', button);
  expect(rowOf('definition')).toMatchObject({ status: 'RUNNING', delivery });
});

test('buttons are those that a service has: no host of a machine is interrupted, and no refusal ends', () => {
  const { rowOf, press } = page();
  expect(rowOf('m').buttons).not.toContain('interrupt it');
  expect(press('m', 'interrupt it')).toBeUndefined();
  expect(rowOf('etl').buttons).not.toContain('interrupt it');
  expect(rowOf('full').buttons).toEqual([]);
});

test.each([{ arn: 'b', act: 'explode' }, { act: 'end well' }, { arn: 'z', act: 'end well' }, undefined, 'x'])(
  '%j does nothing',
  (body) => {
    const { rowOf } = page();
    expect(machinePage([]).act(body)).toBeUndefined();
    expect(rowOf('definition').status).toBe('RUNNING');
  },
);
