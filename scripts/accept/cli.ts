import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from '../command';
import { bill } from './bill/bill';
import { onAws, type Step } from './check';
import { type Flags, parseFlags, USAGE } from './flags';
import { awsClients, awsSite } from './site/aws-site';
import { localSite } from './site/local-site';
import type { Site } from './site/site';
import { preflight } from './preflight/preflight';
import { countsOf, fileNameOf, lineOf, markdownOf, type Report, summaryOf } from './report/report';
import { REDEPLOY } from './redeploy/redeploy';
import { exitCodeOf, type Result, runSteps } from './run-steps';
import { STEPS } from './steps';

const BILL: Step = {
  name: 'bill',
  title: 'Bill: what yesterday cost',
  checks: [
    onAws('bill/yesterday', 'A day costs what docs/cost.md reckons, or at most half as much again', bill),
  ],
};

async function main(args: readonly string[]): Promise<void> {
  const flags = parseFlags(
    args,
    process.env,
    STEPS.map(({ name }) => name),
  );
  if (flags.mode === 'help') return print(USAGE.trimEnd());
  if (flags.mode === 'list') return [...STEPS, ...REDEPLOY].forEach(printStep);
  const site = await siteOf(flags);
  try {
    await runIn(site, flags);
  } finally {
    for (const client of Object.values(site.clients)) client.destroy();
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function printStep({ title, checks }: Step): void {
  print(title);
  for (const { name, promise, on, needs } of checks) {
    const conditions = [...(on === 'aws' ? ['AWS alone'] : []), ...needs.map((wish) => `--${wish}`)];
    print(`  ${name.padEnd(28)} ${promise}${conditions.length > 0 ? ` (${conditions.join(', ')})` : ''}`);
  }
}

async function siteOf({ mode, url, stage, token, idToken, memorySizes }: Flags) {
  if (url !== undefined) return localSite(url, { token, idToken });
  const given = { clients: awsClients(), stage: stage!, tokens: { token, idToken }, memorySizes };
  return awsSite({ ...given, isDeployed: mode !== 'preflight' });
}

const stepsOf = ({ mode, only }: Flags): readonly Step[] => {
  if (mode === 'preflight') return [preflight];
  if (mode === 'bill') return [BILL];
  if (mode === 'redeploy') return REDEPLOY;
  return only.length === 0 ? STEPS : STEPS.filter(({ name }) => only.includes(name));
};

async function runIn(site: Site & { end(): Promise<string[]> }, flags: Flags): Promise<void> {
  const startedAt = new Date(site.startMs).toISOString();
  print(`${site.stackName}, ${site.kind === 'aws' ? 'in AWS' : `the local run at ${site.url}`}`);
  let results: Result[] = [];
  let leftBehind: string[] = [];
  try {
    results = await runSteps(stepsOf(flags), site, {
      wishes: flags.wishes,
      onStep: (title) => print(`\n${title}`),
      onResult: (result) => print(lineOf(result)),
    });
  } finally {
    leftBehind = await site.end();
  }
  for (const what of leftBehind) print(`left behind: ${what}`);
  const endedAt = new Date(site.nowMs()).toISOString();
  const counts = countsOf(results);
  const { stackName: stack, kind } = site;
  write({ version: 1, stack, site: kind, startedAt, endedAt, counts, leftBehind, results }, flags.report);
  print(`\n${summaryOf(results)}`);
  process.exitCode = exitCodeOf(results);
}

function write(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, fileNameOf(report));
  writeFileSync(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${path}.md`, markdownOf(report));
  print(`\n${path}.json and ${path}.md`);
}

runCommand('accept', main);
