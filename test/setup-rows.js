/* A row without a TTL is there for ever, so something else has to bound it. */
const { endOfWatch } = require('./support/row-bounds');

beforeEach(() => void endOfWatch());
afterEach(() => expect(endOfWatch().unbounded).toEqual([]));
