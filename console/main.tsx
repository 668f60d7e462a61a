import { render } from 'preact';
import { Router } from 'wouter-preact';

import { Alone } from './app/alone';
import { keepFocus } from './app/focus';
import { Shell } from './app/shell';
import { listenToKeys } from './app/shortcuts';
import { session, startSession } from './session/session';

function Console() {
  const state = session.value;
  return state.is === 'signed-in' ? <Shell config={state.config} /> : <Alone />;
}

listenToKeys();
keepFocus();
void startSession();
render(
  <Router base="/console">
    <Console />
  </Router>,
  document.getElementById('app')!,
);
