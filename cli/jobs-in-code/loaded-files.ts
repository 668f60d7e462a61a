import { createRequire, register } from 'node:module';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

/** Runs in the thread of hooks, where no other code of this program is. */
const HOOKS = `
let port;
export const initialize = (given) => { port = given; };
export async function resolve(name, context, next) {
  const found = await next(name, context);
  port.postMessage(found.url);
  return found;
}`;

type RegisterHooks = (hooks: {
  resolve(name: string, context: object, next: Resolve): { url: string };
}) => void;
type Resolve = (name: string, context: object) => { url: string };

/**
 * Calls `onFile` for each file of the user that this process loads from now on; files of packages are none.
 * Returns what calls it for all that were loaded until then.
 */
export function watchLoads(path: string, onFile: (path: string) => void): () => void {
  const cache = createRequire(pathToFileURL(path)).cache;
  const before = new Set(Object.keys(cache));
  const required = () => {
    for (const file of Object.keys(cache)) if (!before.has(file) && isOwn(file)) onFile(file);
  };
  const take = (url: string) => {
    if (url.startsWith('file:') && isOwn(url)) onFile(fileURLToPath(url));
  };
  const { registerHooks } = nodeModule as { registerHooks?: RegisterHooks };
  if (registerHooks) {
    registerHooks({
      resolve(name, context, next) {
        const found = next(name, context);
        take(found.url);
        return found;
      },
    });
    return required;
  }
  const { port1, port2 } = new MessageChannel();
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: port2, transferList: [port2] });
  port1.on('message', take).unref();
  return () => {
    for (let one = receiveMessageOnPort(port1); one; one = receiveMessageOnPort(port1))
      take(one.message as string);
    required();
  };
}

const isOwn = (file: string): boolean => !/[/\\]node_modules[/\\]/.test(file);
