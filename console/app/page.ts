import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';

const RELOADED = 'quarterjack.reloaded';
/** A file that is missing again so soon is not the work of a deployment. */
const SOON_MS = 10_000;

/**
 * A page that is loaded when it is opened for the first time. After a deployment its file may be gone: then
 * the console starts anew at the same address, with the files of now.
 */
export const page = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(startAnew));

function startAnew(thrown: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < SOON_MS) throw thrown;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}
