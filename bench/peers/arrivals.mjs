// Counts jobs as they arrive, with how late each is.

export function arrivals() {
  let late = [];
  let enough;
  return {
    add(lateMs) {
      late.push(lateMs);
      if (enough && late.length >= enough.count) enough.done();
    },
    /** Resolves when there are `count`, or after `withinMs`. */
    waitFor: (count, withinMs) =>
      new Promise((resolve) => {
        if (late.length >= count) return resolve();
        const timer = setTimeout(resolve, withinMs);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        enough = { count, done };
      }),
    /** Milliseconds of lateness of all since the last call. */
    take() {
      const taken = late;
      late = [];
      return taken;
    },
  };
}
