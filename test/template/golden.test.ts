import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CfnElement, CfnResource, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

import prod from '../../config/prod.json';
import { parseConfig } from '../../lib/config/parse-config';
import { createStack, createStackOf } from './synth';

/** Resources of a stack, by the part of Quarterjack that they belong to. */
type Golden = Record<string, Record<string, unknown>>;

/** The template in the form of the golden files: by part, sorted by logical id, without hashes of bundles. */
function goldenOf(stack: Stack): Golden {
  const template = Template.fromStack(stack).toJSON() as Record<string, Record<string, object>>;
  const parts: Golden = {};
  for (const part of stack.node.defaultChild!.node.children) {
    const ids = part.node
      .findAll()
      .filter((construct) => CfnElement.isCfnElement(construct) && CfnResource.isCfnResource(construct))
      .map((resource) => String(stack.resolve((resource as CfnResource).logicalId)))
      .sort();
    if (ids.length === 0) continue;
    parts[part.node.id] = Object.fromEntries(ids.map((id) => [id, plain(template.Resources?.[id])]));
  }
  parts.outputs = { ...template.Outputs };
  return parts;
}

/** Drops asset hashes, which change with every line of code. Makes joined strings and dashboards readable. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::Join' in value) return textOf(value);
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === 'S3Key') return [key, '<bundle>'];
    return [key, key === 'DashboardBody' ? JSON.parse(textOf(item)) : plain(item)];
  });
  return Object.fromEntries(entries) as unknown;
}

/** A string with its references written as `${LogicalId.Attribute}`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, any>;
  if (join) return join[1].map(textOf).join(join[0]);
  return `\${${Ref ?? attribute.join('.')}}`;
}

/** What a deployment has besides, once its jobs may start state machines. */
function watcherParts(): Record<string, unknown> {
  const allowedTargetArns = ['arn:aws:states:eu-central-1:111122223333:stateMachine:nightly-*'];
  const config = parseConfig({ ...prod, stage: 'prod', allowedTargetArns }, 'prod with state machines');
  const resources = Object.values(goldenOf(createStackOf(config).stack)).flatMap(Object.entries<unknown>);
  return Object.fromEntries(resources.filter(([id]) => /^(WatchQueue|StagesWatcher)/.test(id)));
}

// One deployment alone: what is reviewed here, line by line, is what `prod` becomes. Another one would show
// each change twice, so of the one with state machines only the watcher is here. The other files have the
// rules for all sizes.
const DIRECTORY = join(__dirname, '../fixtures/golden-template');
const current: Golden = { ...goldenOf(createStack({ stage: 'prod' }).stack), Watcher: watcherParts() };

/** One file per part: a diff then shows which part has changed, and parallel changes rarely conflict. */
function write(golden: Golden): void {
  rmSync(DIRECTORY, { recursive: true, force: true });
  mkdirSync(DIRECTORY, { recursive: true });
  for (const [part, resources] of Object.entries(golden))
    writeFileSync(join(DIRECTORY, `${part}.json`), `${JSON.stringify(resources, undefined, 1)}\n`);
}

if (process.env.QUARTERJACK_GOLDEN === 'write') write(current);

const kept = readdirSync(DIRECTORY).map((file) => file.replace('.json', ''));

describe('the template of prod equals the reviewed one; `npm run golden` accepts a change', () => {
  test('the parts', () => {
    expect(kept.toSorted()).toEqual(Object.keys(current).toSorted());
  });

  test.each(kept)('%s', (part) => {
    const golden: unknown = JSON.parse(readFileSync(join(DIRECTORY, `${part}.json`), 'utf8'));
    expect(current[part]).toEqual(golden);
  });
});
