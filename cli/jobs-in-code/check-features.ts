import type { Quarterjack } from '../../client';
import { CliError, ExitCode } from '../exit-codes';
import { isObject } from '../is-object';
import type { Definition } from '../schedules-as-code/definition';
import { askVersion } from '../server-version';

/** Throws a `CliError` if the server is too old to know a field that the jobs have. */
export async function checkFeatures(
  client: Quarterjack,
  jobs: readonly { definition: Definition }[],
): Promise<void> {
  const features = (await askVersion(client))?.features ?? [];
  const lacks = [...new Set(jobs.flatMap(({ definition }) => neededBy(definition)))].filter(
    (feature) => !features.includes(feature),
  );
  if (lacks.length > 0)
    throw new CliError(
      `the server is older than this command line: it has no ${lacks.join(' and no ')}. Update the server, or install a command line of its version`,
      ExitCode.failed,
    );
}

const neededBy = ({ target, payloadSchema }: Definition): string[] => [
  ...(isObject(target) && target.observe === true ? ['observe'] : []),
  ...(payloadSchema === undefined ? [] : ['payloadSchema']),
];
