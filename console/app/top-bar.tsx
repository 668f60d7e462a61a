import { lastAnswerMs, live, refresh, silentSinceMs } from '../api/polling';
import { Icon } from '../parts/icons';
import { clock } from '../time/format';
import { useQueryValues } from './go';
import { preferences } from './preferences';
import { nextTheme } from './theme';
import { BROWSER_ZONE, scheduleZone, zone, zoneChoice, ZONES } from './zone';

/** Find, the state of the updates, time zone, theme, help. */
export function TopBar({ onFind, onHelp }: { onFind(): void; onHelp(): void }) {
  return (
    <header class="top" data-part="top-bar">
      <button type="button" class="find" onClick={onFind} data-part="find">
        <Icon name="find" />
        <span>Go to a job, an execution, a page</span>
        <kbd>/</kbd>
      </button>
      <span class="gap" />
      <LiveState />
      <ZoneSwitch />
      <button
        type="button"
        class="btn bare"
        aria-label={`Theme: ${preferences.value.theme}`}
        data-part="theme"
        onClick={nextTheme}
      >
        <Icon name="theme" />
      </button>
      <button
        type="button"
        class="btn bare"
        aria-label="Keyboard shortcuts"
        data-part="help"
        onClick={onHelp}
      >
        <kbd>?</kbd>
      </button>
    </header>
  );
}

export function toggleLive(): void {
  live.value = !live.value;
  if (live.value) void refresh();
}

/** Whether the page keeps itself up to date, and since when it could not. */
function LiveState() {
  const silent = silentSinceMs.value;
  const at = lastAnswerMs.value;
  const [kind, text] = !live.value
    ? ['off', 'updates off']
    : silent === undefined
      ? ['', at === 0 ? 'live' : `live · ${clock(at, zone.value)}`]
      : ['silent', `no answer since ${clock(silent, zone.value)}`];
  return (
    <button
      type="button"
      class={`live ${kind}`}
      aria-pressed={live.value}
      title="Updates on or off"
      data-part="live"
      onClick={toggleLive}
    >
      <i />
      {text}
    </button>
  );
}

/** The zone of all times. It goes into the address unless it is the reader's own. */
export function chooseZone(choice: string, put: (values: Record<string, string>) => void): void {
  put({ tz: choice === preferences.value.zone ? '' : choice });
}

function ZoneSwitch() {
  const { put } = useQueryValues();
  const choice = zoneChoice.value;
  const usual = ['browser', 'UTC', 'schedule'];
  return (
    <label>
      <span class="hidden">Time zone</span>
      <select
        class="field zone"
        value={choice}
        data-part="zone"
        onChange={(event) => chooseZone(event.currentTarget.value, put)}
      >
        <optgroup label="Usual">
          <option value="browser">{BROWSER_ZONE}</option>
          {BROWSER_ZONE !== 'UTC' && <option value="UTC">UTC</option>}
          <option value="schedule" disabled={!scheduleZone.value && choice !== 'schedule'}>
            Schedule’s{scheduleZone.value ? `: ${scheduleZone.value}` : ''}
          </option>
        </optgroup>
        <optgroup label="All">
          {!usual.includes(choice) && !ZONES.includes(choice) && <option>{choice}</option>}
          {ZONES.filter((name) => name !== 'UTC').map((name) => (
            <option key={name}>{name}</option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}
