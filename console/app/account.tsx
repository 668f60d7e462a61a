import { useMe } from '../api/project';
import { Icon } from '../parts/icons';
import { signOut } from '../session/session';
import { useQueryValues } from './go';

/** Who is signed in, and in which project. */
export function Account() {
  const { data: me } = useMe();
  if (!me) return null; // it stands at the bottom: an empty one would move up
  return (
    <div class="foot" data-part="account">
      <strong>{me.by.name ?? me.by.sub}</strong>
      <ProjectSwitch />
      <span>
        {me.stage} · {me.region}
      </span>
      <button type="button" class="btn bare small" onClick={() => void signOut()}>
        <Icon name="out" size={14} />
        Sign out
      </button>
    </div>
  );
}

/** Only a token of several projects has a choice. The address names the project, for links. */
function ProjectSwitch() {
  const { data: me } = useMe();
  const { put } = useQueryValues();
  if (!me || me.projects.length < 2) return null;
  return (
    <label>
      <span class="hidden">Project</span>
      <select
        class="field"
        value={me.project ?? ''}
        data-part="project-switch"
        onChange={(event) => put({ project: event.currentTarget.value })}
      >
        {me.projects.map(({ name, role }) => (
          <option key={name} value={name}>
            {name} ({role})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Asks which project, where the token has several and the address names none. */
export function ChooseProject() {
  const { data: me } = useMe();
  const { put } = useQueryValues();
  return (
    <div class="alone">
      <main class="card" data-part="choose-project">
        <div class="in">
          <h1>Which project?</h1>
          {me?.projects.map(({ name, role }) => (
            <button key={name} type="button" class="btn" onClick={() => put({ project: name })}>
              {name} · {role}
            </button>
          ))}
        </div>
      </main>
    </div>
  );
}
