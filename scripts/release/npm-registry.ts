import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** npm has the credentials. Settings of a scope would win over `--registry`, so they are given too. */
const flagsOf = (registry: string, scope: string): string[] => [
  `--registry=${registry}`,
  `--${scope}:registry=${registry}`,
];

interface NpmError extends Error {
  stdout: string;
  stderr: string;
}

async function npm(args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('npm', args)).stdout;
  } catch (cause) {
    const { stdout, stderr, message } = cause as NpmError;
    throw new Error(`npm ${args[0]}: ${(stderr || stdout || message).trim()}`, { cause });
  }
}

/** The integrity that a registry has for a version. Undefined: it has no such version. */
export async function published(spec: string, registry: string, scope: string): Promise<string | undefined> {
  const args = ['view', spec, 'dist.integrity', '--json', '--prefer-online', ...flagsOf(registry, scope)];
  try {
    const text = await npm(args);
    // Older npm prints nothing if it knows the package, and no such version.
    return text.trim() === '' ? undefined : (JSON.parse(text) as string);
  } catch (error) {
    if (codeOf((error as Error).cause as NpmError) === 'E404') return undefined;
    throw error;
  }
}

/** `--access`: a package of a scope is private else. */
export const publish = async (file: string, registry: string, scope: string): Promise<void> =>
  void (await npm(['publish', file, '--access=public', ...flagsOf(registry, scope)]));

function codeOf({ stdout }: NpmError): string | undefined {
  try {
    return (JSON.parse(stdout) as { error: { code: string } }).error.code;
  } catch {
    return undefined;
  }
}
