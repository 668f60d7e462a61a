/** Lists executions of state machines and tasks of ECS, and does what their buttons say. */
const REFRESH_MS = 1_000;

const rows = document.querySelector('#executions');
const state = document.querySelector('#state');
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

function cell(row, content) {
  const created = row.insertCell();
  created.append(content);
  return created;
}

function button(arn, act) {
  const created = document.createElement('button');
  created.textContent = act;
  created.addEventListener('click', () => void press(arn, act));
  return created;
}

async function press(arn, act) {
  await fetch('/_local/machines/act', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arn, act }),
  });
  await refresh();
}

function rowOf(execution) {
  const row = document.createElement('tr');
  cell(row, time.format(new Date(execution.startedMs)));
  cell(row, execution.of);
  cell(row, execution.name).title = execution.input;
  cell(row, execution.status).title = execution.cause ?? '';
  cell(row, execution.delivery);
  const buttons = document.createElement('span');
  buttons.append(...execution.buttons.map((act) => button(execution.arn, act)));
  cell(row, buttons);
  return row;
}

let shown = '';

/** Nothing is drawn again without a change: a click needs the button on which it began. */
async function refresh() {
  try {
    const text = await (await fetch('/_local/machines.json')).text();
    const { executions } = JSON.parse(text);
    const running = executions.filter(({ status }) => status === 'RUNNING').length;
    state.textContent = `${running} of ${executions.length} running`;
    if (text === shown) return;
    shown = text;
    rows.replaceChildren(...executions.map(rowOf));
  } catch {
    state.textContent = 'the run has ended';
  }
}

await refresh();
setInterval(() => void refresh(), REFRESH_MS);
