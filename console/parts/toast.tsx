import { signal } from '@preact/signals';

import { wordsOf } from './problem';

interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
  /** Takes back what was done. */
  undo?: (() => Promise<string>) | undefined;
}

const SHOWN_MS = 8_000;
/** Long enough to think again. */
const UNDO_MS = 20_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says what came of an action. Screen readers hear it too. */
export function say(text: string, tone: Toast['tone'] = 'good', undo?: Toast['undo']): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone, undo }];
  setTimeout(() => remove(id), undo ? UNDO_MS : SHOWN_MS);
}

const remove = (id: number): void => {
  toasts.value = toasts.value.filter((one) => one.id !== id);
};

async function takeBack({ id, undo }: Toast): Promise<void> {
  remove(id); // once
  try {
    say(await undo!());
  } catch (thrown) {
    say(wordsOf(thrown), 'bad');
  }
}

/** The outcomes of actions, never those of polls. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite" data-part="toasts">
    {toasts.value.map((toast) => (
      <p key={toast.id} class={`toast ${toast.tone}`}>
        {toast.text}{' '}
        {toast.undo && (
          <button type="button" class="btn small" onClick={() => void takeBack(toast)}>
            Undo
          </button>
        )}
      </p>
    ))}
  </div>
);
