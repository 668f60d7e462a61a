import type { Mutant } from './mutant';

const EVALUATE_TEST = 'test/unit/core/json-schema/evaluate.test.ts';
const PIPELINE_TEST = 'test/integration/pipeline/payload-schemas.test.ts';

export const payloadSchemaMutants: readonly Mutant[] = [
  {
    name: 'what an event has given a run is the payload of its tasks',
    file: 'lambdas/core/delivery/job-templates/render-job.ts',
    find: 'data ? {} : execution;',
    replace: 'data === null ? {} : execution;',
    killedBy: 'test/integration/pipeline/templates.test.ts',
    test: 'a task has its own input',
  },
  {
    name: 'the check of a payload has no end',
    file: 'lambdas/core/json-schema/evaluate.ts',
    find: '      if (budget.left < 0) throw new StepsSpent();\n',
    replace: '',
    killedBy: EVALUATE_TEST,
    test: 'each value counts',
  },
  {
    name: 'a pattern that is not run refuses',
    file: 'lambdas/core/json-schema/rules.ts',
    find: "  pattern: ({ value }) => (typeof value === 'string' ? 'unknown' : 'fits'),\n",
    replace: '',
    killedBy: EVALUATE_TEST,
    test: 'what is not run decides nothing',
  },
  {
    name: 'a run by hand is not checked by the schema of its job',
    file: 'lambdas/api/jobs/payload-schema.ts',
    find: "  if (entering) await checkFit(job, entering.value, 'payload');\n",
    replace: '  void entering;\n',
    killedBy: 'test/unit/api/jobs/payload-schema.test.ts',
    test: 'is refused unless its payload fits',
  },
  {
    name: 'an event that does not fit the schema of a job starts it',
    file: 'lambdas/api/events/send-event.ts',
    find: '    if (misfit !== undefined) misfits.set(job, misfit);\n',
    replace: '    void misfit;\n',
    killedBy: PIPELINE_TEST,
    test: 'a failed run of that job alone',
  },
  {
    name: 'nothing finds the end of an event that does not fit',
    file: 'lambdas/core/ending/start-runs.ts',
    find: '  await deps.schedule.putEntries([await recheckEntryNow(run, deps)]);\n',
    replace: '  void recheckEntryNow;\n',
    killedBy: PIPELINE_TEST,
    test: 'what follows a failure',
  },
];
