import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Failed, Skeleton } from '../parts/states';

const RELOADED = 'quarterjack.reloaded';
/** A file that is missing again so soon is not the work of a deployment. */
const SOON_MS = 10_000;

/**
 * A page, or a part of one, that is loaded when it is drawn for the first time. After a deployment its file
 * may be gone: then the console starts anew at the same address, with the files of now.
 *
 * @param height of the area that stands in until then, in pixels; 0: none
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  height = 240,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [, redraw] = useState(0);
    const [error, fail] = useState<unknown>();
    useEffect(() => {
      if (loaded) return;
      load()
        .catch(startAnew)
        .then((part) => {
          loaded = part;
          redraw(1);
        })
        .catch(fail);
    }, []);
    if (error !== undefined) return <Failed error={error} />;
    const Part = loaded;
    if (Part) return <Part {...props} />;
    return height > 0 ? <Skeleton height={height} /> : null;
  };
}

function startAnew(thrown: unknown): Promise<never> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < SOON_MS) throw thrown;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}
