const { AsyncLocalStorage } = require('node:async_hooks');

/** Storage → the context of the test or hook that runs. */
const contexts = new WeakMap();
const { run, getStore } = AsyncLocalStorage.prototype;

const isContext = (store) => store?.test !== undefined || store?.hook !== undefined;

/**
 * Jest runs each test and hook in an AsyncLocalStorage, to name the test of an error that nothing catches. Up
 * to Node 22, every promise is then entered into that storage, which takes a tenth of the time of tests that
 * await much. No test here runs beside others of its file, so the context is the one that was entered last.
 */
AsyncLocalStorage.prototype.run = function (store, callback, ...args) {
  if (!isContext(store)) return run.call(this, store, callback, ...args);
  const before = contexts.get(this);
  const leave = () => contexts.set(this, before);
  contexts.set(this, store);
  let result;
  try {
    result = callback(...args);
  } catch (error) {
    leave();
    throw error;
  }
  if (typeof result?.then === 'function') return result.finally(leave);
  leave();
  return result;
};

AsyncLocalStorage.prototype.getStore = function () {
  return contexts.get(this) ?? getStore.call(this);
};
