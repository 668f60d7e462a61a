import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Node } from 'constructs';

import { suggestionFor } from '../../lambdas/core/contracts/suggestion';
import { parseConfig } from './parse-config';
import { StageConfig } from './stage-config';

/** Holds one file per stage, `<stage>.json`. A new stage is a new file. */
const CONFIG_DIR = join(__dirname, '../../config');

/** Context names that change the configuration without being a field of it. */
const SWITCHES = ['strictTargets'];

/**
 * Loads the stage that the context value `stage` names (`dev` by default). A context value overrides the
 * field of the same name in `config/<stage>.json`. `strictTargets=true` sets the target policy of a deployed
 * stack in any stage.
 *
 * @throws one Error that lists every invalid value with what is allowed
 */
export function loadStageConfig(node: Node): StageConfig {
  rejectUnknownContext(node);
  const values = readStage(node.tryGetContext('stage') ?? 'dev');
  for (const name of Object.keys(StageConfig.shape)) values[name] = fromContext(node, name) ?? values[name];
  if (String(node.tryGetContext('strictTargets')) === 'true') values.targetPolicy = 'public';

  return parseConfig(values, `stage "${String(values.stage)}"`);
}

/**
 * A misspelled name would change nothing without notice. CDK's own context names contain more than letters.
 */
function rejectUnknownContext(node: Node): void {
  const known = [...Object.keys(StageConfig.shape), ...SWITCHES];
  const given = Object.keys((node.getAllContext() ?? {}) as object);
  const unknown = given.find((name) => /^[A-Za-z]+$/.test(name) && !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`context "${unknown}" is not known${suggestionFor(unknown, known)}`);
}

function readStage(stage: unknown): Record<string, unknown> {
  const stages = readdirSync(CONFIG_DIR).map((file) => file.replace(/\.json$/, ''));
  if (typeof stage !== 'string' || !stages.includes(stage))
    throw new Error(
      `context "stage" is ${JSON.stringify(stage)}; expected one of ${stages.join(', ')}, the files of config/`,
    );
  const file = join(CONFIG_DIR, `${stage}.json`);
  try {
    return { ...(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>), stage };
  } catch (cause) {
    throw new Error(`config/${stage}.json is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** On the command line, lists and objects are JSON. */
function fromContext(node: Node, name: string): unknown {
  const value: unknown = node.tryGetContext(name);
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw new Error(`context "${name}" is ${JSON.stringify(value)}; expected JSON`, { cause });
  }
}
