import { preferences, prefer } from '../../app/preferences';
import { BROWSER_ZONE, ZONES } from '../../app/zone';
import { Card } from '../../parts/card';
import { Choice, Labelled } from '../../parts/labelled';

const THEMES = [
  ['system', 'as the system'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const;
const DENSITIES = [
  ['normal', 'normal'],
  ['dense', 'dense'],
] as const;

/** What this browser remembers. */
export function PreferencesCard() {
  const { zone, theme, keys, density } = preferences.value;
  return (
    <Card part="preferences" title="In this browser">
      <div class="form narrow-form">
        <Labelled text="Time zone" hint="an address with another one wins">
          <select
            class="field"
            value={zone}
            onChange={(event) => prefer({ zone: event.currentTarget.value })}
          >
            <option value="browser">of the browser ({BROWSER_ZONE})</option>
            <option value="UTC">UTC</option>
            <option value="schedule">of the schedule on the page</option>
            {ZONES.filter((name) => name !== 'UTC').map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Labelled>
        <div class="pair">
          <Choice label="Theme" value={theme} options={THEMES} onChange={(one) => prefer({ theme: one })} />
          <Choice
            label="Rows"
            value={density}
            options={DENSITIES}
            onChange={(one) => prefer({ density: one })}
          />
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={keys}
            onChange={(event) => prefer({ keys: event.currentTarget.checked })}
          />
          Single keys are shortcuts
        </label>
      </div>
    </Card>
  );
}
