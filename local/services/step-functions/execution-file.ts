import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

interface Kept {
  arn: string;
  status: string;
}

/** What is kept of the executions: a line for each change, of which the last one of an execution counts. */
export interface ExecutionFile<Execution extends Kept> {
  append(execution: Execution): void;
}

/** Executions that have ended are forgotten beyond these, the oldest first. AWS keeps them for 90 days. */
const MAX_ENDED = 10_000;
/** Lines after which the file is written anew: several times what it keeps. */
const MAX_LINES = 100_000;

const line = (execution: Kept): string => `${JSON.stringify(execution)}\n`;

/**
 * Fills `executions` from the file, and appends to it from then on. A line is written before the caller has
 * its answer, so that a killed run has lost nothing that it answered. Without a path nothing is kept.
 */
export function openExecutionFile<Execution extends Kept>(
  path: string | undefined,
  executions: Map<string, Execution>,
): ExecutionFile<Execution> {
  if (path !== undefined && existsSync(path))
    for (const text of readFileSync(path, 'utf8').split('\n')) read(text, executions);
  let lines = 0;
  const rewrite = (): void => {
    forgetOldest(executions);
    lines = executions.size;
    if (path === undefined) return;
    writeFileSync(`${path}.new`, [...executions.values()].map(line).join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  rewrite();
  return {
    append(execution) {
      lines += 1;
      if (lines > MAX_LINES) rewrite();
      else if (path !== undefined) appendFileSync(path, line(execution));
    },
  };
}

/** The last line may be cut off, by the end of the process that wrote it. */
function read<Execution extends Kept>(text: string, executions: Map<string, Execution>): void {
  try {
    const execution = JSON.parse(text) as Execution;
    executions.set(execution.arn, execution);
  } catch {
    // Its writer died before it answered.
  }
}

function forgetOldest(executions: Map<string, Kept>): void {
  const ended = [...executions.values()].filter(({ status }) => status !== 'RUNNING');
  for (const { arn } of ended.slice(0, -MAX_ENDED)) executions.delete(arn);
}
