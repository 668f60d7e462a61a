import { ProcessorRoom, QUIET_SAMPLE_MS, SAMPLE_MS } from '../../../../local/invoke/processor-room';

/** A process on some processors. It and others use shares of them, as the test says. */
function machine(processors = 2) {
  const used = { hereMs: 0, allMs: 0, busyMs: 0 };
  let nowMs = 0;
  const read = jest.fn(() => ({ ...used }));
  const room = new ProcessorRoom({ processors, nowMs: () => nowMs, read });
  const pass = (ms: number, { here, others = 0 }: { here: number; others?: number }) => {
    nowMs += ms;
    used.hereMs += processors * ms * here;
    used.allMs += processors * ms;
    used.busyMs += processors * ms * (here + others);
  };
  return { room, pass, read };
}

test('there is room until this process occupies the processors, and again afterwards', () => {
  const { room, pass } = machine();
  pass(1_000, { here: 0.5 });
  expect(room.hasRoom).toBe(true);
  pass(SAMPLE_MS, { here: 0.95 });
  expect(room.hasRoom).toBe(false);
  pass(SAMPLE_MS, { here: 0.2 });
  expect(room.hasRoom).toBe(true);
});

test('where others keep the processors busy, there is room as long as this process does little', () => {
  const { room, pass } = machine();
  pass(1_000, { here: 0.05, others: 0.95 });
  expect(room.hasRoom).toBe(true);
  pass(1_000, { here: 0.5, others: 0.5 });
  expect(room.hasRoom).toBe(false);
});

test('a period that is too short changes nothing', () => {
  const { room, pass } = machine();
  pass(1_000, { here: 0.1 });
  expect(room.hasRoom).toBe(true);
  pass(20, { here: 1 });
  expect(room.hasRoom).toBe(true);
  pass(SAMPLE_MS, { here: 1 });
  expect(room.hasRoom).toBe(false);
});

test('in a burst, a pause of the processors leaves no room', () => {
  const { room, pass } = machine();
  pass(SAMPLE_MS, { here: 1 });
  expect(room.hasRoom).toBe(false);
  for (let burst = 0; burst < 20; burst++) {
    pass(SAMPLE_MS * 0.8, { here: 1 });
    expect(room.hasRoom).toBe(false);
    pass(SAMPLE_MS * 0.1, { here: 0.2 });
    expect(room.hasRoom).toBe(false);
    pass(SAMPLE_MS * 0.1, { here: 1 });
    expect(room.hasRoom).toBe(false);
  }
});

test('the use of the processors is read no more than once a period, however often is asked', () => {
  const { room, pass, read } = machine();
  pass(SAMPLE_MS, { here: 0.1 });
  read.mockClear();
  for (let asked = 0; asked < 5; asked++) expect(room.hasRoom).toBe(true);
  expect(read).toHaveBeenCalledTimes(1);
  pass(SAMPLE_MS - 1, { here: 0.1 });
  expect(room.hasRoom).toBe(true);
  expect(read).toHaveBeenCalledTimes(1);
});

test('after a start there is no room until the use of the processors has been measured again', () => {
  const { room, pass } = machine();
  const ready = room.starts();
  pass(10 * SAMPLE_MS, { here: 0.1 });
  ready();
  expect(room.hasRoom).toBe(false);
  pass(SAMPLE_MS, { here: 1 });
  expect(room.hasRoom).toBe(false);
  pass(SAMPLE_MS, { here: 0.1 });
  expect(room.hasRoom).toBe(true);
});

test('after a start on quiet processors there is room again after a short measurement', () => {
  const { room, pass } = machine();
  const ready = room.starts();
  pass(SAMPLE_MS, { here: 0.3 });
  ready();
  pass(QUIET_SAMPLE_MS - 1, { here: 0.3 });
  expect(room.hasRoom).toBe(false);
  pass(1, { here: 0.3 });
  expect(room.hasRoom).toBe(true);
});

test('after a start, room is looked for once a short period, until the long one is over', () => {
  const { room, pass, read } = machine();
  room.starts()();
  read.mockClear();
  for (let ms = 1; ms < SAMPLE_MS; ms++) {
    pass(1, { here: 0.6 });
    expect(room.hasRoom).toBe(false);
  }
  expect(read).toHaveBeenCalledTimes(SAMPLE_MS / QUIET_SAMPLE_MS - 1);
  pass(1, { here: 0.6 });
  expect(room.hasRoom).toBe(true);
});

test('the end of an environment that had started leaves the room as it is', () => {
  const { room, pass } = machine();
  const end = room.starts();
  end();
  pass(SAMPLE_MS, { here: 0.1 });
  expect(room.hasRoom).toBe(true);
  end();
  expect(room.hasRoom).toBe(true);
});

test.each([
  [1, 1],
  [2, 1],
  [8, 7],
])('of %i processors, starts take %i at most', (processors, most) => {
  const { room } = machine(processors);
  for (let started = 0; started < most; started++) {
    expect(room.hasRoom).toBe(true);
    room.starts();
  }
  expect(room.hasRoom).toBe(false);
});
