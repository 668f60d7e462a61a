import { environmentVariables } from '../../local/invoke/environment-variables';
import { Callers, type Credentials } from '../../local/services/callers';
import { readAssembly } from '../../local/template/assembly';
import { readStack } from '../../local/template/read-stack';
import type { FunctionSpec, LocalStack } from '../../local/template/stack';
import { synthesize } from '../../local/template/synthesize';
import { type Stage, STAGES } from '../cost/usage';

export interface StageFunction {
  spec: FunctionSpec;
  /** The bundle that would be deployed. */
  bundle: string;
  /** All that it sees of its surroundings, as Lambda would set it. */
  variables: Record<string, string>;
}

export interface Synthesized {
  stack: LocalStack;
  functions: Record<Stage, StageFunction>;
}

const REGION = 'us-east-1';

/** The functions of the template that `npm start` runs, with AWS at `awsUrl`. */
export async function synthesized(awsUrl: string): Promise<Synthesized> {
  const assemblyDir = await synthesize();
  const place = { region: REGION, accountId: '000000000000', apiUrl: awsUrl, awsUrl, startedMs: 0 };
  const stack = readStack(readAssembly(assemblyDir), place);
  const credentials: Credentials = new Callers().issue();
  const functionOf = (stage: Stage): StageFunction => {
    const name = stage.charAt(0).toUpperCase() + stage.slice(1);
    const spec = stack.functions.find(({ logicalId }) => logicalId.startsWith(`Stages${name}Function`));
    if (!spec) throw new Error(`the template has no function of the ${stage}`);
    const [file] = spec.handler.split('.');
    return {
      spec,
      bundle: `${spec.codeDirectory}/${file}.mjs`,
      variables: environmentVariables(spec, credentials, place),
    };
  };
  const functions = Object.fromEntries(STAGES.map((stage) => [stage, functionOf(stage)]));
  return { stack, functions: functions as Record<Stage, StageFunction> };
}
