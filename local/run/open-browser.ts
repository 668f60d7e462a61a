import { spawn } from 'node:child_process';

/** What opens a URL in the browser of the user, by platform; elsewhere `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens a URL in the browser of the user. `onError` gets the reason if this machine has no opener. */
export function openBrowser(url: string, onError: (reason: string) => void): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', ({ message }) => onError(message));
  child.unref();
}
