import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

import type { Completion } from './completion';
import { insertText } from './insert-text';

const ID = 'completions';

export interface Completing {
  open: (Completion & { at: number }) | undefined;
  chosen: number;
  /** Says to screen readers which option is chosen. */
  aria: { 'aria-controls'?: string; 'aria-activedescendant'?: string };
  /** Opens the list of what completes the text at the caret, if there is anything. */
  find(): void;
  close(): void;
  take(option: string): void;
  /** Whether a key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

/** What completes the text at the caret of a field, and the keys that choose from it. */
export function useCompletion(
  area: RefObject<HTMLTextAreaElement>,
  complete: (text: string, at: number) => Completion | undefined,
): Completing {
  const [open, setOpen] = useState<Completing['open']>();
  const [chosen, choose] = useState(0);
  const close = () => setOpen(undefined);
  const find = (): void => {
    const { value, selectionStart: at, selectionEnd } = area.current!;
    const found = at === selectionEnd ? complete(value, at) : undefined;
    setOpen(found && { ...found, at });
    choose(0);
  };
  const take = (option: string): void => {
    const { from, to, after } = open!;
    close();
    insertText(area.current!, option + after, from, to);
    // The text that came in opens it again, for the rest of a path.
    if (!option.endsWith('.')) close();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === ' ' && event.ctrlKey) find();
    else if (!open || event.isComposing) return false;
    else if (event.key === 'ArrowDown') choose((chosen + 1) % open.options.length);
    else if (event.key === 'ArrowUp') choose((chosen + open.options.length - 1) % open.options.length);
    else if (event.key === 'Enter') take(open.options[chosen]!);
    else if (event.key === 'Escape') close();
    else {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) close();
      return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const aria = open ? { 'aria-controls': ID, 'aria-activedescendant': `${ID}-${chosen}` } : {};
  return { open, chosen, aria, find, close, take, onKey };
}

/** The list below the caret. The focus stays in the field. */
export function CompletionList({ completion, value }: { completion: Completing; value: string }) {
  const { open, chosen, take } = completion;
  if (!open) return null;
  const before = value.slice(0, open.from).split('\n');
  const place = { left: `${before.at(-1)!.length}ch`, top: `calc(${before.length} * 1lh)` };
  return (
    <ul id={ID} role="listbox" aria-label="Completions" class="completions" style={place}>
      {open.options.map((option, index) => (
        <li
          key={option}
          id={`${ID}-${index}`}
          role="option"
          aria-selected={index === chosen}
          ref={(one) => void (index === chosen && one?.scrollIntoView({ block: 'nearest' }))}
          onPointerDown={(event) => {
            event.preventDefault(); // the field keeps the focus
            take(option);
          }}
        >
          {option}
        </li>
      ))}
    </ul>
  );
}
