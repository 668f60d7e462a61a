import { signal } from '@preact/signals';

interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const SHOWN_MS = 8_000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says what came of an action. Screen readers hear it too. */
export function say(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { id, text, tone }];
  setTimeout(() => (toasts.value = toasts.value.filter((one) => one.id !== id)), SHOWN_MS);
}

/** The outcomes of actions, never those of polls. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite" data-part="toasts">
    {toasts.value.map(({ id, text, tone }) => (
      <p key={id} class={`toast ${tone}`}>
        {text}
      </p>
    ))}
  </div>
);
