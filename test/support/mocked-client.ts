import { mockClient } from 'aws-sdk-client-mock';

/** `mockClient`, until the end of the test file or its `describe`: other test files share the class. */
export const mockedClient: typeof mockClient = (client) => {
  const mock = mockClient(client);
  afterAll(() => mock.restore());
  return mock;
};
