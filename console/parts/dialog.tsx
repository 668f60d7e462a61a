import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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
