import { CfnElement, CfnResource, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

/** Resources of a stack, by the part of Quarterjack that they belong to. */
export type Golden = Record<string, Record<string, unknown>>;

/** The template in the form of the golden files: by part, sorted by logical id, without hashes of bundles. */
export function goldenOf(stack: Stack): Golden {
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
