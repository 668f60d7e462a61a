import { rightsText } from '../../../console/app/rights';

test('who cannot change jobs reads what it can do', () => {
  expect(rightsText(['jobs:read', 'jobs:write', 'runs:approve'])).toBeUndefined();
  expect(rightsText(['jobs:read'])).toBe('You can read here. Changes need the scope jobs:write.');
  expect(rightsText(['jobs:read', 'runs:approve'])).toBe(
    'You can read here, and approve or reject tasks. Other changes need the scope jobs:write.',
  );
  expect(rightsText(['jobs:read', 'runs:operate', 'runs:approve'])).toBe(
    'You can read here, and run, pause, retry and cancel, and approve or reject tasks. ' +
      'Other changes need the scope jobs:write.',
  );
});
