/* A test without any expectation cannot fail: those of a loop may never run. */
beforeEach(() => expect.hasAssertions());
