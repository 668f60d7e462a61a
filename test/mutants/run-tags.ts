import type { Mutant } from './mutant';

const LABELS = 'lambdas/core/delivery/job-templates/run-labels.ts';
const FOLLOWS = 'lambdas/follower/follow-labels.ts';
const LISTS = 'lambdas/api/executions/search/list-labelled.ts';
const RENDERS = 'test/unit/core/delivery/job-templates/run-labels.test.ts';
const WRITES = 'test/unit/follower/follow-labels.test.ts';
const FINDS = 'test/unit/api/executions/list-labelled.test.ts';

/** Faults in what executions are found by. */
export const runTagMutants: readonly Mutant[] = [
  {
    name: 'a job takes the place of what a request says',
    file: LABELS,
    find: 'new Set([...(execution.runTags ?? []), ...rendered.filter((tag) => tag !== undefined)])',
    replace: 'new Set([...rendered.filter((tag) => tag !== undefined), ...(execution.runTags ?? [])])',
    killedBy: RENDERS,
    test: 'before what the job says',
  },
  {
    name: 'a run tag without a value is not counted',
    file: LABELS,
    find: 'rendered.filter((tag) => tag === undefined).length + all.size',
    replace: 'all.size',
    killedBy: RENDERS,
    test: 'leaves out what has no value',
  },
  {
    name: 'run tags name the payload before it is rendered',
    file: LABELS,
    find: "payloadOf(execution, 'fault' in rendered ? {} : rendered.job)",
    replace: "payloadOf(execution, 'fault' in rendered ? {} : job)",
    killedBy: RENDERS,
    test: 'as the target gets it',
  },
  {
    name: 'run tags name a payload that could not be rendered',
    file: LABELS,
    find: "payloadOf(execution, 'fault' in rendered ? {} : rendered.job)",
    replace: "payloadOf(execution, 'fault' in rendered ? job : rendered.job)",
    killedBy: RENDERS,
    test: 'cannot be rendered',
  },
  {
    name: 'a run tag that was not written is passed over',
    file: 'lambdas/follower/write-each.ts',
    find: '      failed = Math.min(failed ?? item.first, item.first);\n',
    replace: '',
    killedBy: WRITES,
    test: 'brings the changes again',
  },
  {
    name: 'the external id of a request is written twice',
    file: FOLLOWS,
    find: 'externalId === before?.externalId && ended',
    replace: 'externalId === null && ended',
    killedBy: WRITES,
    test: 'not written again',
  },
  {
    name: 'the row of an external id expires before its execution after a retry',
    file: FOLLOWS,
    find: ' && ended.userRetries === undefined && untilSec <= keptSec;',
    replace: ' && untilSec <= keptSec;',
    killedBy: WRITES,
    test: 'a retry by a user',
  },
  {
    name: 'an external id does not find a date from before the retention',
    file: LISTS,
    find: ' keptSinceMs) : 0);',
    replace: ' keptSinceMs) : keptSinceMs);',
    killedBy: FINDS,
    test: 'has dates from before the retention',
  },
  {
    name: 'an execution is found by a tag that it does not have',
    file: LISTS,
    find: '  (runTag === undefined || row.runTags?.includes(runTag) === true) &&\n',
    replace: '',
    killedBy: FINDS,
    test: 'believes the row',
  },
  {
    name: 'a page of a run tag begins on the last day again',
    file: LISTS,
    find: 'after === undefined ? toMs - 1 : Math.min(toMs - 1, parseCompactInstant(after))',
    replace: 'toMs - 1 - DAY_MS',
    killedBy: FINDS,
    test: 'over all days',
  },
  {
    name: 'a run is found by its external id once it has ended',
    file: 'lambdas/api/executions/start-run.ts',
    find: '  await putExternalId(run, deps);\n',
    replace: '',
    killedBy: FINDS,
    test: 'finds a run at once',
  },
  {
    name: 'an event that moves a run leaves it its labels',
    file: 'lambdas/core/store/dynamo/executions/change-executions.ts',
    find: 'const given: Row = { payload: payload && JSON.stringify(payload), runTags, externalId };',
    replace:
      'const given: Row = { payload: payload && JSON.stringify(payload), runTags };\n  void externalId;',
    killedBy: FINDS,
    test: 'a later event has moved',
  },
];
