import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { faultySource, type Mutant, ROOT } from './mutant';

/** A test run that takes longer than this, in milliseconds, counts as no proof. */
const LIMIT_MS = 120_000;

/**
 * `killed`: an assertion of the named tests failed. `survived`: they all passed. `no proof`: they did not
 * run, the faulty code does not load, or there was no end within two minutes.
 */
export interface MutantResult {
  status: 'killed' | 'survived' | 'no proof';
  /** The title of the first test that failed, or what went wrong. */
  why: string;
  tookMs: number;
}

interface Report {
  numFailedTests: number;
  numPassedTests: number;
  testResults: {
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** Runs the named tests against the faulty code. The working tree stays as it is. */
export async function runMutant(mutant: Mutant): Promise<MutantResult> {
  const startMs = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-mutant-'));
  try {
    const source = join(dir, 'source.ts');
    writeFileSync(source, faultySource(mutant));
    const env = { QUARTERJACK_MUTATED: mutant.file, QUARTERJACK_MUTANT: source };
    const only = mutant.test === undefined ? [] : ['--testNamePattern', mutant.test];
    const report = await runJest([mutant.killedBy], only, join(dir, 'report.json'), env);
    return { ...resultOf(report), tookMs: performance.now() - startMs };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Runs test files against the code as it is. Returns the titles of the tests that fail. */
export async function failingTests(files: readonly string[]): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-mutant-'));
  try {
    const report = await runJest(files, [], join(dir, 'report.json'), {}, files.length * LIMIT_MS);
    if (!report) return ['the tests did not end in time'];
    return report.testResults.flatMap(({ message, assertionResults }) => {
      if (assertionResults.length === 0) return [message];
      return assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Undefined if it has not ended in time. */
async function runJest(
  files: readonly string[],
  options: readonly string[],
  outputFile: string,
  env: Record<string, string>,
  limitMs = LIMIT_MS,
): Promise<Report | undefined> {
  const args = ['--config', 'test/mutants/jest.config.js', '--maxWorkers=1', '--json', '--silent'];
  const child = spawn(
    join(ROOT, 'node_modules/.bin/jest'),
    [...args, '--outputFile', outputFile, ...options, '--runTestsByPath', ...files],
    { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'ignore' },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await new Promise((done, fail) => child.once('error', fail).once('close', done));
  clearTimeout(timer);
  return child.signalCode === null ? (JSON.parse(readFileSync(outputFile, 'utf8')) as Report) : undefined;
}

/** An error of the language is a fault of the mutant, not of the behaviour that a test asks for. */
const NOT_LOADED = /\b(SyntaxError|ReferenceError)\b/;

function resultOf(report: Report | undefined): Omit<MutantResult, 'tookMs'> {
  if (!report) return { status: 'no proof', why: 'no end within two minutes' };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  const unloaded = failed
    .flatMap(({ failureMessages }) => failureMessages)
    .find((one) => NOT_LOADED.test(one));
  if (unloaded !== undefined) return { status: 'no proof', why: unloaded.split('\n')[0]! };
  if (failed[0]) return { status: 'killed', why: failed[0].fullName };
  if (report.numPassedTests > 0) return { status: 'survived', why: '' };
  const message = report.testResults.map((one) => one.message).find((one) => one !== '');
  return { status: 'no proof', why: message?.trim().split('\n')[0] ?? 'no test matches' };
}
