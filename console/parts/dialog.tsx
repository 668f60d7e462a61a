import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useAction } from './action';

interface DialogProps {
  title: string;
  part: string;
  onClose(): void;
  children: ComponentChildren;
  /** Wide enough for a form with two columns. */
  wide?: boolean;
}

/** A modal dialog of the browser: it holds the focus, and Esc closes it. */
export function Dialog({ title, part, onClose, children, wide = false }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={wide ? 'wide' : undefined}
      aria-label={title}
      data-part={part}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === box.current && onClose()}
    >
      <div class="dialog">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface FormProps {
  class?: string;
  role?: 'search';
  'data-part'?: string;
  children: ComponentChildren;
  /** Absent: its fields do all. */
  onSubmit?(): unknown;
}

/** A form that the page itself sends: by its first button, or Enter. */
export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    class="form"
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit?.();
    }}
  />
);

/** The buttons at the end of a dialog. The first one sends its form. */
export const DialogActions = ({
  submit,
  danger = false,
  disabled = false,
  onClose,
}: {
  submit: string;
  danger?: boolean;
  disabled?: boolean;
  onClose(): void;
}) => (
  <p class="acts end">
    <button type="button" class="btn bare" onClick={onClose}>
      Close
    </button>
    <button class={`btn first ${danger ? 'danger' : ''}`} disabled={disabled}>
      {submit}
    </button>
  </p>
);

interface AskDialogProps {
  title: string;
  part: string;
  /** What it does, and what it does not. */
  words: ComponentChildren;
  submit: string;
  danger?: boolean;
  /** Who reads the note. */
  hint?: string;
  /** Something that was typed cannot be sent. */
  disabled?: boolean;
  /** Fields before the note. */
  children?: ComponentChildren;
  onClose(): void;
  /**
   * Does it, and resolves with what was done, unless it has said so.
   *
   * @param note undefined if none was typed
   */
  act(note: string | undefined): Promise<string | undefined>;
}

/** Asks before something is done, and why it is done. It stays open if that fails. */
export function AskDialog(props: AskDialogProps) {
  const { title, part, words, submit, danger, hint, disabled = false, children, onClose, act } = props;
  const [note, setNote] = useState('');
  const isOpen = useRef(true);
  useEffect(() => () => void (isOpen.current = false), []);
  const action = useAction(async () => {
    const done = await act(note.trim() || undefined);
    // `act` may have closed it, and the user may have opened another one since.
    if (isOpen.current) onClose();
    return done;
  });
  return (
    <Dialog title={title} part={part} onClose={onClose}>
      <Form onSubmit={action.run}>
        <p class="second">{words}</p>
        {children}
        <label class="labelled">
          Why? {hint && <span class="hint">{hint}</span>}
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
      </Form>
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
