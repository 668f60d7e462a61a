import { spawn } from 'node:child_process';

type Opener = readonly [command: string, ...args: string[]];
/** What opens a URL in the browser of the user, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Fails if there is no browser. `explorer.exe` has an exit code of its own. */
const XDG: Opener = ['xdg-open'];

/** Opens a URL in the browser of the user. `onError` gets the reason if this machine cannot. */
export function openBrowser(
  url: string,
  onError: (reason: string) => void,
  [command, ...args] = OPENERS[process.platform] ?? XDG,
): void {
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', ({ message }) => onError(message));
  child.once('exit', (code) => {
    if (code && process.platform !== 'win32') onError(`${command} found no browser (exit code ${code})`);
  });
  child.unref();
}
