import { useEffect, useRef } from 'preact/hooks';

import { Note } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { wordsOf } from '../../parts/problem';

/** What the API refused. The first field that it named gets the focus. */
export function Refused({ error }: { error: unknown }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== undefined)
      note.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <div ref={note}>
      {error !== undefined && (
        <Note tone="bad" icon={<Icon name="failures" />}>
          <span role="alert">{wordsOf(error)}</span>
        </Note>
      )}
    </div>
  );
}
