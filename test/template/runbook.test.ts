import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createStack, ofType, type Resource, resourcesOf, targetOf } from './synth';

const usual = resourcesOf();
const runbook = readFileSync(join(__dirname, '../../docs/runbook.md'), 'utf8');

/** A text in which every reference is `<logical id>`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join } = value as { 'Fn::Join'?: [string, unknown[]] };
  return join ? join[1].map(textOf).join(join[0]) : `<${targetOf(value)}>`;
}

describe('the runbook', () => {
  interface Widget {
    properties: { title: string; metrics: unknown[][] };
  }
  const [[, dashboard]] = ofType(usual, 'AWS::CloudWatch::Dashboard') as [[string, Resource]];
  const { widgets } = JSON.parse(textOf(dashboard.Properties.DashboardBody)) as { widgets: Widget[] };

  test('names widgets and series of the dashboard alone', () => {
    const named = [...runbook.matchAll(/`([^`]+)`\s+on\s+the\s+dashboard(?:,\s+series\s+_([^_]+)_)?/g)];
    expect(named.length).toBeGreaterThan(3);
    for (const [, title, series] of named) {
      const labels = widgets
        .filter(({ properties }) => properties.title === title)
        .flatMap(({ properties }) =>
          properties.metrics.map((line) => (line.at(-1) as { label: string }).label),
        );
      expect([title, labels.length > 0]).toEqual([title, true]);
      if (series !== undefined) expect(labels).toContain(series.replaceAll(/\s+/g, ' '));
    }
  });

  test('names the saved queries, which read the logs of every function and of the API', () => {
    const named = [...runbook.matchAll(/`STACK\/(\w+)`/g)].map(([, name]) => `Quarterjack-dev/${name}`);
    for (const all of [usual, resourcesOf({ pools: { ...createStack().config.pools, gpu: {} } })]) {
      const queries = ofType(all, 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => Properties);
      expect(new Set(queries.map(({ Name }) => String(Name)))).toEqual(new Set(named));
      const logs = ofType(all, 'AWS::Logs::LogGroup')
        .map(([id]) => id)
        .filter((id) => !id.startsWith('Console')); // it says nothing of jobs
      for (const { LogGroupNames } of queries)
        expect(new Set(LogGroupNames.map(targetOf))).toEqual(new Set(logs));
    }
  });
});
