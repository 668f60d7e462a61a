import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import * as z from 'zod';

import { LocalRunError, messageOf } from '../run/errors';

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), properties: z.record(z.string(), z.unknown()).optional() }),
  ),
});

const AssetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string().optional() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

const Template = z.object({
  Parameters: z.record(z.string(), z.object({ Default: z.unknown().optional() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Condition: z.string().optional(),
    }),
  ),
});
export type Template = z.output<typeof Template>;

/** A synthesized app: its single stack, and the assets of that stack. */
export interface Assembly {
  directory: string;
  stackName: string;
  template: Template;
  /**
   * Path of the asset that would be uploaded under this S3 key. Throws a `LocalRunError` if there is none.
   */
  assetPath(objectKey: string): string;
}

/** Reads a cloud assembly of exactly one stack. Throws a `LocalRunError` that names what is missing. */
export function readAssembly(directory: string): Assembly {
  const root = resolve(directory);
  if (!existsSync(join(root, 'manifest.json')))
    throw new LocalRunError(`${root} is not a cloud assembly: it has no manifest.json`);
  const artifacts = Object.entries(readJson(join(root, 'manifest.json'), Manifest).artifacts);

  const stacks = artifacts.filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack] = stacks;
  if (!stack || stacks.length > 1)
    throw new LocalRunError(
      `the assembly in ${root} has ${stacks.length} stacks (${stacks.map(([id]) => id).join(', ')}); the local run supports one`,
    );
  const [id, { properties }] = stack;
  const templateFile = z.string().parse(properties?.templateFile);

  const assets = new Map<string, string>();
  for (const [, artifact] of artifacts) {
    if (artifact.type !== 'cdk:asset-manifest') continue;
    const file = z.string().parse(artifact.properties?.file);
    for (const { source, destinations } of Object.values(readJson(join(root, file), AssetManifest).files))
      for (const { objectKey } of Object.values(destinations))
        if (source.path) assets.set(basename(objectKey), resolve(root, source.path));
  }

  return {
    directory: root,
    stackName: typeof properties?.stackName === 'string' ? properties.stackName : id,
    template: readJson(join(root, templateFile), Template),
    assetPath(objectKey) {
      const path = assets.get(basename(objectKey));
      if (!path || !existsSync(path))
        throw new LocalRunError(`the assembly in ${root} has no asset for ${objectKey}`);
      return path;
    },
  };
}

function readJson<T extends z.ZodType>(path: string, schema: T): z.output<T> {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new LocalRunError(`cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
