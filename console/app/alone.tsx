import { session, signIn } from '../session/session';

/** The page before the sign-in. */
export function Alone() {
  const state = session.value;
  if (state.is === 'starting' || state.is === 'signed-in') return null;
  return (
    <div class="alone">
      <main class="card" data-part="signed-out">
        <div class="in">
          <img src="/console/mark.svg" width="36" height="36" alt="" />
          <h1>Quarterjack</h1>
          {state.is === 'failed' ? (
            <p role="alert">The sign-in did not work: {state.message}</p>
          ) : (
            <p>You have signed out.</p>
          )}
          <p class="acts">
            <button type="button" class="btn first" onClick={() => void signIn()}>
              Sign in
            </button>
          </p>
        </div>
      </main>
    </div>
  );
}
