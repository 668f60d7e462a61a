import { calledBy, checkLanguage, limitsOf, type Translation } from './exits';
import { faultsOf } from './fields';
import { type Json, numberIn, objectIn, objectsIn, pathIn, textIn, Unmapped } from '../json';
import type { Remarks } from './limits';
import { type State, statesOf } from './machine';
import { type Item, Scope } from './scope';
import { callOf } from './task';
import { pathTo, renderedOf, unknown, type Value } from './value';

/** A Map whose items need one call. */
export function fanOutOf(
  { work, json, remarks }: Translation,
  input: Value,
  scope: Scope,
): { task: Json; resultOf: (output: string) => Value } {
  const only = stateOfItems(json, remarks);
  const items = scope.path(textIn(json, 'ItemsPath') ?? '$', input);
  const item: Item = { value: pathTo('item'), index: pathTo('index') };
  const inner = new Scope(only.name, item);
  const selector = json.ItemSelector ?? json.Parameters;
  const given = selector === undefined ? item.value : inner.template(selector, input);
  const effective = inner.selected(only.json, 'InputPath', given);
  const call = callOf(only.json, effective, inner, { remarks, place: work.place });
  if (call.input === undefined && call.service !== 'action')
    throw new Unmapped(`${only.name} sends no body: here, it would send its item`);

  const task = {
    ...calledBy({ work, name: only.name }, call, limitsOf(only.json, call, remarks)),
    forEach: { items: renderedOf(items), ...boundsOf(json, remarks) },
  };
  const { json: last, name } = only;
  const resultOf = (output: string): Value => {
    const each = new Scope(name, item);
    const result = call.resultOf('item-output');
    const selected =
      last.ResultSelector === undefined ? result : each.template(objectIn(last, 'ResultSelector'), result);
    const value = each.selected(last, 'OutputPath', each.placed(pathIn(last, 'ResultPath'), given, selected));
    // A fan-out gathers what each call returns, and nothing that is made of it.
    const isPlain =
      value.kind === 'path' && value.text === 'item-output' && json.ToleratedFailurePercentage !== 100;
    return isPlain ? pathTo(output) : unknown(`${name} changes what each call returns`);
  };
  return { task, resultOf };
}

/** The one state of each item. */
function stateOfItems(json: Json, remarks: Remarks): State {
  const processor = objectIn(json, 'ItemProcessor') ?? objectIn(json, 'Iterator');
  if (!processor) throw new Unmapped('it has no ItemProcessor');
  const config = objectIn(processor, 'ProcessorConfig') ?? {};
  const faults = [...faultsOf('processor', processor), ...faultsOf('processorConfig', config)];
  if (faults.length > 0) throw new Unmapped(faults.join('; '));
  checkLanguage(processor);
  const [mode, type] = [textIn(config, 'Mode') ?? 'INLINE', textIn(config, 'ExecutionType')];
  if (mode !== 'INLINE' || type !== undefined)
    remarks.note(`its items are no ${[type, mode].join(' ').trim()} executions: each is an item of its task`);
  const [only, ...others] = statesOf(processor);
  if (!only || others.length > 0 || only.json.Type !== 'Task')
    throw new Unmapped('its items need more than one Task state: make those a Lambda function');
  const within = [...faultsOf('Task', only.json)];
  if (within.length > 0) throw new Unmapped(`${only.name}: ${within.join('; ')}`);
  checkLanguage(only.json);
  if (objectsIn(only.json, 'Catch').length > 0)
    throw new Unmapped(`${only.name} handles failures of an item: make it a Lambda function`);
  return only;
}

/** `concurrency` and `tolerate`. */
function boundsOf(json: Json, remarks: Remarks): Json {
  const percentage = numberIn(json, 'ToleratedFailurePercentage', { least: 0 });
  const count = numberIn(json, 'ToleratedFailureCount', { least: 0 });
  if (percentage !== undefined && percentage > 100) throw new Unmapped(`it tolerates ${percentage} percent`);
  if (percentage !== undefined && count !== undefined)
    throw new Unmapped('it has two bounds of tolerated failures, and a fan-out has one');
  const tolerate = percentage === undefined ? count : `${percentage}%`;
  if (percentage !== 100)
    remarks.differs('an item that fails ends the state: here, the other items begin all the same');
  remarks.note('a fan-out has at most 10,000 items, and 1,000 without MaxConcurrency');
  const concurrency = numberIn(json, 'MaxConcurrency', { least: 0 }) ?? 0;
  return {
    ...(concurrency > 0 && { concurrency: Math.min(concurrency, 1_000) }),
    ...(tolerate !== undefined && { tolerate }),
  };
}
