import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Workflow } from '../../../client/browser';
import { Note } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { readJson } from './json-text';
import { keepText, keptText } from './kept-text';

const textOf = (workflow: unknown): string => JSON.stringify(workflow, null, 2);

interface KeptTextNote {
  words: string;
  /** What the button says, and does. */
  act: string;
  onAct(): void;
}

/**
 * The text of an editor, which outlives a reload. What was typed over another definition than that of now is
 * offered, and not taken by itself.
 *
 * @param draft what the form has: it is newer than any kept text, if it differs from what is saved
 */
export function useKeptText(draft: Workflow, saved: unknown, onChange: (workflow: Workflow) => void) {
  const base = textOf(saved);
  const [kept] = useState(() => (textOf(draft) === base ? keptText() : undefined));
  const [isOfNow] = useState(kept?.base === base);
  const [text, put] = useState(kept && isOfNow ? kept.text : textOf(draft));
  const [isShown, show] = useState(kept !== undefined);
  /** What the form has by this text. Another value comes from elsewhere: a merge, or the JSON of the job. */
  const passed = useRef(JSON.stringify(draft));
  const pass = (typed: string): void => {
    if (readJson(typed).fault !== undefined) return;
    const workflow = JSON.parse(typed) as Workflow;
    passed.current = JSON.stringify(workflow);
    onChange(workflow);
  };
  const setText = (typed: string): void => {
    put(typed);
    keepText(typed, base);
    pass(typed);
  };
  const take = (typed: string): void => {
    show(false);
    setText(typed);
  };
  // Before the next key: a later effect would compare an older value with what is typed since.
  useLayoutEffect(() => {
    if (JSON.stringify(draft) === passed.current) return;
    passed.current = JSON.stringify(draft);
    put(textOf(draft));
    keepText(textOf(draft), base);
  }, [draft]);
  // The form has what is saved: it learns of the text that came back.
  useEffect(() => {
    if (kept && isOfNow) pass(kept.text);
  }, []);
  const note: KeptTextNote | undefined = !isShown
    ? undefined
    : isOfNow
      ? {
          words: 'This is what you typed before the page was loaded anew. It is not saved.',
          act: 'Discard it',
          onAct: () => take(base),
        }
      : {
          words: 'You typed a text here over an older definition. It is not saved.',
          act: 'Put it in',
          onAct: () => take(kept!.text),
        };
  return { text, setText, note };
}

export const KeptNote = ({ note: { words, act, onAct } }: { note: KeptTextNote }) => (
  <Note icon={<Icon name="info" />}>
    {words}{' '}
    <button type="button" class="link" onClick={onAct}>
      {act}
    </button>
  </Note>
);
