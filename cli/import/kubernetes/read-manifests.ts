import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type ParsedNode,
  type Tags,
  visit,
} from 'yaml';

import { isObject } from '../../is-object';
import { CliError } from '../../exit-codes';
import { valueOf, yamlProblems } from '../../read-definition';
import type { Json } from '../json';

/** One object of a file. */
export interface Manifest {
  /** `cron.yaml:12 CronJob/report` */
  source: string;
  value: Json;
}

/** What a chart has and no object of a cluster. */
const OF_HELM = /\{\{-?\s*(?:\$?\.(?:Values|Release|Chart|Files|Capabilities)\b|(?:include|template|tpl)\s)/;
/** Fields that take no braces. */
const PLAIN_FIELDS = new Set(['name', 'namespace', 'schedule', 'timeZone', 'image', 'suspend', 'kind']);

/** `yes` is true, but `2026-12-01` and `12:30` are texts. */
const AS_KUBERNETES = {
  version: '1.1',
  customTags: (tags: Tags): Tags =>
    tags.filter(
      (tag) =>
        typeof tag === 'string' || !(tag.tag === 'tag:yaml.org,2002:timestamp' || tag.format === 'TIME'),
    ),
} as const;

/**
 * The objects of a file, in YAML or JSON: of each of its documents, and of each list. Throws a `CliError` for
 * a template, and for a file that is no YAML.
 */
export function readManifests(text: string, path: string): Manifest[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, ...AS_KUBERNETES });
  const documents = 'empty' in parsed ? [] : parsed;
  if (text.includes('{{') && documents.some(isTemplate))
    throw new CliError(
      `${path}: it is a template: import what it becomes, such as by: helm template NAME CHART | quarterjack import kubernetes -`,
    );
  const broken = documents.flatMap(({ errors, warnings }) =>
    yamlProblems([...errors, ...warnings], lines, path),
  );
  if (broken.length > 0) throw new CliError(broken.join('\n'));
  const found = documents.flatMap((document) => {
    if (document.contents === null) return [];
    const value = withoutNulls(valueOf(document, path));
    const lineOf = (node: ParsedNode | null): number => lines.linePos(node?.range[0] ?? 0).line;
    return objectsOf(value, document.contents, (node) => `${path}:${lineOf(node)}`);
  });
  return found.map(({ where, value }) => ({ source: `${where} ${titleOf(value)}`, value }));
}

interface Placed {
  where: string;
  value: Json;
}

function objectsOf(value: unknown, node: ParsedNode, whereOf: (node: ParsedNode | null) => string): Placed[] {
  const where = whereOf(node);
  if (!isObject(value) || typeof value.kind !== 'string' || typeof value.apiVersion !== 'string')
    throw new CliError(`${where}: expected an object of Kubernetes, with apiVersion and kind`);
  if (!value.kind.endsWith('List') || !Array.isArray(value.items)) return [{ where, value }];
  const items = isMap(node) ? node.get('items', true) : undefined;
  const kind = value.kind === 'List' ? undefined : value.kind.slice(0, -'List'.length);
  return value.items.flatMap((item: unknown, index) => {
    const inner = isSeq(items) ? (items.items[index] as ParsedNode | undefined) : undefined;
    // The items of a CronJobList need not repeat what they are.
    const whole =
      isObject(item) && kind !== undefined ? { apiVersion: value.apiVersion, kind, ...item } : item;
    return objectsOf(whole, inner ?? node, whereOf);
  });
}

function titleOf({ kind, metadata }: Json): string {
  const name = isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : undefined;
  return name === undefined ? String(kind) : `${String(kind)}/${name}`;
}

/** Whether what stands in braces is to be replaced: not in the text of a command. */
function isTemplate({ contents, errors }: Document.Parsed): boolean {
  if (errors.length > 0) return true;
  let found = false;
  visit(contents, {
    Pair(_, { key, value }) {
      // `name: {{ .Values.name }}` is an object whose key is an object
      const isFlow = !isScalar(key) && !isAlias(key);
      const isPlain = isScalar(key) && PLAIN_FIELDS.has(String(key.value));
      found ||= isFlow || (isPlain && isScalar(value) && String(value.value).includes('{{'));
    },
    Scalar(_, { value }) {
      found ||= typeof value === 'string' && OF_HELM.test(value);
    },
  });
  return found;
}

/** Kubernetes takes a null as absent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
