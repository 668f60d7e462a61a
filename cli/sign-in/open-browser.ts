import { spawn } from 'node:child_process';

const COMMANDS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const DEFAULT_COMMAND: readonly string[] = ['xdg-open'];

/**
 * Opens a URL in the user's browser. No shell sees the URL. False if there is no program to open it.
 */
export async function openBrowser(url: string): Promise<boolean> {
  const [command, ...args] = COMMANDS[process.platform] ?? DEFAULT_COMMAND;
  const opener = spawn(command as string, [...args, url], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
