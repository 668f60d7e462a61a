import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { useAction } from './action';
import { Dialog, DialogActions } from './dialog';

interface AskDialogProps {
  title: string;
  part: string;
  /** What it does, and what it does not. */
  words: ComponentChildren;
  submit: string;
  danger?: boolean;
  /** Something that was typed cannot be sent. */
  disabled?: boolean;
  /** Fields before the note. */
  children?: ComponentChildren;
  onClose(): void;
  /** Does it, and resolves with what was done. `note` is undefined if none was typed. */
  act(note: string | undefined): Promise<string>;
}

/** Asks before something is done, and why it is done. It stays open if that fails. */
export function AskDialog(props: AskDialogProps) {
  const { title, part, words, submit, danger, disabled = false, children, onClose, act } = props;
  const [note, setNote] = useState('');
  const action = useAction(async () => {
    const done = await act(note.trim() || undefined);
    onClose();
    return done;
  });
  return (
    <Dialog title={title} part={part} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <p class="second">{words}</p>
        {children}
        <label class="labelled">
          Why?
          <input
            class="field"
            maxLength={500}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
        <DialogActions
          submit={submit}
          danger={danger}
          disabled={disabled || action.isBusy}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

interface ChoicesProps<Value extends string> {
  label: string;
  value: Value | undefined;
  options: readonly (readonly [value: Value, words: string])[];
  onChange(value: Value): void;
}

/** One of a few, each with its words: for what a dialog asks. */
export function Choices<Value extends string>({ label, value, options, onChange }: ChoicesProps<Value>) {
  return (
    <div class="choices" role="radiogroup" aria-label={label}>
      {options.map(([one, words]) => (
        <label key={one} class="check">
          <input type="radio" name={label} checked={one === value} onChange={() => onChange(one)} />
          {words}
        </label>
      ))}
    </div>
  );
}
