import { keptText } from '../../domain/target-result';
import { outputOf } from '../../domain/workflow/output';
import { stringIn } from './answers';
import type { ErrandEnd } from './errand-kind';
import { errandInEnvironment } from './work-input';

/** A task of ECS as its events and `DescribeTasks` show it, as far as its end depends on it. */
export interface EcsTask {
  taskArn?: unknown;
  lastStatus?: unknown;
  stopCode?: unknown;
  stoppedReason?: unknown;
  containers?: unknown;
  overrides?: unknown;
}

interface Container {
  name: string;
  exitCode?: number;
  reason?: string;
}

const listIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

/** The host is gone, or is taken away: that says nothing of the work. */
const LOSSES: ReadonlySet<unknown> = new Set([
  'SpotInterruption',
  'TerminationNotice',
  'InfrastructureHealth',
]);
const HOST_LOST = /^Host EC2\b/;
/** An image that is not there will not be there for the next attempt. */
const NO_IMAGE = /\b(?:manifest unknown|not found|repository does not exist|invalid reference format)\b/i;

/**
 * How a task has ended; undefined: it has not. The exit code of the container that was started for the errand
 * decides. Without one, every container counts that has an exit code.
 */
export function endOfTask(task: EcsTask): ErrandEnd | undefined {
  if (task.lastStatus !== 'STOPPED') return undefined;
  const code = stringIn(task.stopCode);
  const reason = stringIn(task.stoppedReason) ?? '';
  const said = [code, reason].filter(Boolean).join(': ') || 'STOPPED';
  if (LOSSES.has(code) || HOST_LOST.test(reason)) return { how: 'lost', error: kept(said) };
  if (code === 'UserInitiated') return { how: 'stopped', error: kept(said) };
  if (code === 'TaskFailedToStart') {
    const isFatal = reason.startsWith('CannotPull') && NO_IMAGE.test(reason);
    return { how: 'failed', error: kept(said), ...(isFatal && { isFatal }) };
  }
  return endOfContainers(task, said);
}

function endOfContainers(task: EcsTask, said: string): ErrandEnd {
  const deciding = decidingOf(task);
  const failed = deciding.find(({ exitCode }) => exitCode !== 0);
  if (deciding.length > 0 && !failed) {
    const names = deciding.map(({ name }) => name);
    return { how: 'succeeded', body: `exit 0: ${names.join(', ')}`, output: outputIn(task) };
  }
  if (!failed) return { how: 'failed', error: kept(said) };
  const { name, exitCode, reason } = failed;
  const exit = exitCode === undefined ? 'no exit code' : `exit ${exitCode}`;
  const error = kept([`${exit}: ${name}`, reason ?? said].join(': '));
  return { how: 'failed', error, ...(exitCode !== undefined && { exitCode }) };
}

/** Containers beside the one of the errand are stopped with it, and then have other exit codes. */
function decidingOf({ containers, overrides }: EcsTask): Container[] {
  const all = listIn(containers).map(({ name, exitCode, reason }): Container => ({
    name: stringIn(name) ?? '',
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  }));
  const own = ownContainerIn(overrides);
  return own === undefined
    ? all.filter(({ exitCode }) => exitCode !== undefined)
    : all.filter(({ name }) => name === own);
}

const ownContainerIn = (overrides: unknown): string | undefined =>
  stringIn(
    listIn((overrides as { containerOverrides?: unknown } | undefined)?.containerOverrides).find(
      ({ environment }) => errandInEnvironment(environment) !== undefined,
    )?.name,
  );

const outputIn = ({ taskArn }: EcsTask) => outputOf({ taskArn: stringIn(taskArn) ?? '', exitCode: 0 });

const kept = (text: string): string => keptText(text, 'ofFailure');
