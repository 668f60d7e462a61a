import { faultsIn } from '../../../../lambdas/core/templates/check';
import { RUN } from '../../../../lambdas/core/templates/roots';
import type { Json } from '../../../../lambdas/core/templates/syntax';

const roots = new Map([['run', RUN]]);
const faults = (value: Json, secrets?: ReadonlySet<string>) => faultsIn(value, 'payload', { roots, secrets });

it('reports the path of each faulty text, and not the keys', () => {
  const value = { '{{': 'literal', list: ['{{ run.id }}', { deep: '{{ run.idd }} {{ rnu.id }}' }, '{{'] };
  expect(faults(value)).toEqual([
    {
      path: 'payload.list.1.deep',
      message: '{{ run.idd }}: run has no field "idd"; did you mean "id"?',
    },
    { path: 'payload.list.1.deep', message: '{{ rnu.id }}: there is no "rnu"; did you mean "run"?' },
    { path: 'payload.list.2', message: '"{{" has no "}}"; a literal "{{" is written "{{{{"' },
  ]);
});

it.each([
  ['env.HOME', 'there is no "env"; allowed: run'],
  ['now', 'there is no "now"; allowed: run'],
  ['run.dueat', 'run has no field "dueat"; did you mean "dueAt"?'],
  [
    'run[0]',
    'run has no field 0; allowed: id, deliveryId, dueAt, previousDueAt, day, startedAt, trigger, jobId',
  ],
  ['run.id.length', 'run.id is a text and has no fields'],
  ['run.id | uper', 'there is no filter "uper"; did you mean "upper"?'],
  ['run.dueAt | date', 'date takes 1 or 2 arguments, not 0'],
  ["run.id | upper('x')", 'upper takes 0 arguments, not 1'],
  ["run.id | replace('a')", 'replace takes 2 arguments, not 1'],
  ["run.id | replace('', 'a')", 'argument 1 of replace: needs a text that is not empty, not ""'],
  ["run.id | chunk('2')", 'argument 1 of chunk: needs a whole number, not "2"'],
  ["run.dueAt | date('YYYY')", 'argument 1 of date: the format "YYYY" has "YYYY"; allowed are yyyy MM dd'],
  ["run.dueAt | date('yyyy', 'Mars')", 'argument 2 of date: "Mars" is no IANA time zone'],
  ["run.dueAt | shift('1x')", 'argument 1 of shift: needs a whole number and one of s m h d w M y'],
  ["run.dueAt | startOf('days')", 'argument 1 of startOf: needs one of second, minute, hour, day'],
  ['run.id | default(run.x)', 'run has no field "x"'],
])('%s', (expression, message) => {
  const [fault, ...others] = faults(`{{ ${expression} }}`);
  expect(fault?.message).toContain(`{{ ${expression} }}: ${message}`);
  expect(others).toEqual([]);
});

it('accepts the fields of run, whole or one by one', () => {
  expect(faults(['{{ run }}', "{{ run.previousDueAt | default('') }}", '{{ run.day }}'])).toEqual([]);
});

it('knows which secrets may stand where', () => {
  const known = new Set(['crm']);
  expect(faults('{{ secrets.crm }}', known)).toEqual([]);
  expect(faults('{{ secrets.cmr }}', known)[0]?.message).toBe('{{ secrets.cmr }}: there is no secret "cmr"');
  expect(faults('{{ secrets.crm }}')[0]?.message).toBe('{{ secrets.crm }}: no secret may stand here');
});

it('reports at most 20 faults', () => {
  expect(faults(Array.from({ length: 1_000 }, () => '{{ x }}'))).toHaveLength(20);
});
