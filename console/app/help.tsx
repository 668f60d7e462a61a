import { Dialog } from '../parts/dialog';
import { preferences } from './preferences';
import { shortcuts } from './shortcuts';

/** The keys that work on this page. */
export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" part="help-dialog" onClose={onClose}>
      {!preferences.value.keys && <p>Single keys are switched off in Settings.</p>}
      <dl class="keys">
        {shortcuts().map(({ keys, words }) => (
          <>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </>
        ))}
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close a dialog</dd>
      </dl>
      <p class="acts end">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </p>
    </Dialog>
  );
}
