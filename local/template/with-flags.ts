import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Assembly } from './assembly';

/** What a flag of the local run changes in the stack of the `local` stage. */
export interface TemplateFlags {
  /** Use the target policy of a deployed stack. */
  strictTargets?: boolean | undefined;
  /** Where projects come from; undefined: as the stage says. */
  projects?: string | undefined;
  /** Executors of each priority of the default pool; undefined: as the stage says. */
  executors?: number | undefined;
  /** Base URL of a collector, which gets spans of everything; undefined: as the stage says. */
  otlp?: string | undefined;
  /** Folder that gets a line about each execution that has ended; undefined: as the stage says. */
  exportTo?: string | undefined;
}

type Variables = Record<string, unknown>;
type Properties = Record<string, unknown>;

const FUNCTION = 'AWS::Lambda::Function';
const MAPPING = 'AWS::Lambda::EventSourceMapping';
/** The mappings of the default pool's priorities, by the ids that the construct gives them. */
const PRIORITY_MAPPING = /^StagesExecutorFrom(?:Highest|High|Medium|Low|Lowest)[0-9A-F]{8}$/;
const PRIORITIES = 5;
/** One project may hold a quarter of a lane's executors, and two at least. */
const LANE_SHARE = 0.25;
const LOWEST_LANE_LIMIT = 2;
/** It ends with a slash: names of files follow. */
const folderUrl = (folder: string): string => `${pathToFileURL(resolve(folder)).href}/`;
const ALL_RECORDED = JSON.stringify({ ratio: 1, maxPerMinute: 100_000 });

/**
 * The assembly that a synthesis with these settings would make. So a start needs no synthesis for them, and a
 * package with one template has them all. A variable of a function wins over its file of settings.
 */
export function withFlags<Kind extends Pick<Assembly, 'template'>>(
  assembly: Kind,
  { strictTargets, projects, executors, otlp, exportTo }: TemplateFlags,
): Kind {
  const { template } = assembly;
  const laneLimit = Math.max(LOWEST_LANE_LIMIT, Math.floor((executors ?? 0) * LANE_SHARE));
  const variables = (known: Variables): Variables => ({
    ...known,
    ...(strictTargets === true && 'TARGET_POLICY' in known && { TARGET_POLICY: 'public' }),
    ...(projects !== undefined && 'PROJECTS' in known && { PROJECTS: JSON.stringify({ from: projects }) }),
    ...(executors !== undefined &&
      'SETTINGS_FILE' in known && {
        LANE_LIMITS: JSON.stringify({ default: Array<number>(PRIORITIES).fill(laneLimit) }),
      }),
    ...(otlp !== undefined && 'SETTINGS_FILE' in known && { SAMPLING: ALL_RECORDED }),
    ...(otlp !== undefined && 'OTLP_ENDPOINT' in known && { OTLP_ENDPOINT: otlp }),
    ...(exportTo !== undefined &&
      'HISTORY_EXPORT' in known && { HISTORY_EXPORT: JSON.stringify({ to: folderUrl(exportTo) }) }),
  });
  const changed = (id: string, type: string, properties: Properties): Properties => {
    const environment = properties.Environment as { Variables?: Variables } | undefined;
    if (type === FUNCTION && environment?.Variables)
      return {
        ...properties,
        Environment: { ...environment, Variables: variables(environment.Variables) },
      };
    if (type === MAPPING && executors !== undefined && PRIORITY_MAPPING.test(id))
      return { ...properties, ScalingConfig: { MaximumConcurrency: executors } };
    return properties;
  };
  const resources = Object.entries(template.Resources).map(([id, resource]) => [
    id,
    { ...resource, Properties: changed(id, resource.Type, resource.Properties) },
  ]);
  const Resources = Object.fromEntries(resources) as typeof template.Resources;
  return { ...assembly, template: { ...template, Resources } };
}
