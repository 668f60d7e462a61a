import { DeployedStacks, type Sources } from './deployed-stacks';
import { job } from './jobs-of-stacks';

const ORDERS = [
  ['Shop', 'Mail'],
  ['Mail', 'Shop'],
] as const;
type App = Readonly<Record<string, Sources>>;

/** Two stacks of one app, each with jobs of its own. */
const APP: App = {
  Shop: { orders: [job('orders-nightly'), job('orders-unpaid')] },
  Mail: { mails: [job('mails-digest')] },
};
const OWNERS = {
  'mails-digest': 'mails of Mail, target-Mail-mails',
  'orders-nightly': 'orders of Shop, target-Shop-orders',
  'orders-unpaid': 'orders of Shop, target-Shop-orders',
};

async function deployed(app: App, order: readonly string[]) {
  const stacks = await DeployedStacks.started();
  for (const name of order) expect(await stacks.deploy(name, app[name]!)).toBeUndefined();
  return stacks;
}

/** Deploys all stacks, in this order, until none fails any more. Returns what was said. */
async function deployAll(stacks: DeployedStacks, app: App, order: readonly string[]) {
  const said: string[] = [];
  for (let left = [...order]; left.length > 0 && said.length < 4;) {
    const [name = '', ...others] = left;
    const reason = await stacks.deploy(name, app[name]!);
    left = reason === undefined ? others : [...others, name];
    if (reason !== undefined) said.push(reason);
  }
  return said;
}

describe.each(ORDERS)('two stacks of one app, %s first and then %s', (...order) => {
  test('have their own jobs, and a change of one leaves those of the other alone', async () => {
    const stacks = await deployed(APP, order);
    expect(await stacks.owners()).toEqual(OWNERS);
    const before = await stacks.changes('mails');
    const changed = { orders: [job('orders-nightly', { priority: 'high' })] };
    expect(await stacks.deploy('Shop', changed)).toBeUndefined();
    expect(await stacks.changes('mails')).toEqual(before);
    expect(Object.keys(await stacks.owners())).toEqual(['mails-digest', 'orders-nightly']);
    await stacks.destroy('Shop');
    expect(await stacks.changes('mails')).toEqual(before);
    expect(Object.keys(await stacks.owners())).toEqual(['mails-digest']);
  });

  test('do not take a job of the other one by its id: the second fails, and nothing has changed', async () => {
    const [first, second] = order;
    const stacks = await deployed(APP, [first]);
    const before = await stacks.owners();
    const [taken = ''] = Object.keys(before);
    const reason = await stacks.deploy(second, { other: [job('new'), job(taken)] });
    expect(reason).toBe(`${taken} is a job of the stack ${first}, and not of ${second}`);
    expect(await stacks.owners()).toEqual(before);
  });

  test('a job moves to the other stack, once its own has let go of it', async () => {
    const stacks = await deployed(APP, order);
    const moved: App = {
      Shop: { orders: [job('orders-nightly')] },
      Mail: { mails: [job('mails-digest'), job('orders-unpaid')] },
    };
    const said = await deployAll(stacks, moved, order);
    expect(said).toEqual(
      order[0] === 'Mail' ? ['orders-unpaid is a job of the stack Shop, and not of Mail'] : [],
    );
    expect(await stacks.owners()).toEqual({ ...OWNERS, 'orders-unpaid': 'mails of Mail, target-Mail-mails' });
  });

  test('a whole program moves to the other stack, and is renamed there', async () => {
    const stacks = await deployed(APP, order);
    const moved: App = { Shop: {}, Mail: { ...APP.Mail, sales: APP.Shop!.orders! } };
    const said = await deployAll(stacks, moved, order);
    expect(said).toHaveLength(order[0] === 'Mail' ? 1 : 0);
    const sales = 'sales of Mail, target-Mail-sales';
    expect(await stacks.owners()).toEqual({ ...OWNERS, 'orders-nightly': sales, 'orders-unpaid': sales });
  });

  test('a job and a source get other names, and the other stack keeps its jobs', async () => {
    const stacks = await deployed(APP, order);
    const before = await stacks.changes('mails');
    const renamed: App = { Shop: { sales: [job('sales-nightly'), job('orders-unpaid')] }, Mail: APP.Mail! };
    expect(await deployAll(stacks, renamed, order)).toEqual([]);
    const sales = 'sales of Shop, target-Shop-sales';
    const { 'mails-digest': mails } = OWNERS;
    expect(await stacks.owners()).toEqual({
      ...{ 'mails-digest': mails, 'orders-unpaid': sales, 'sales-nightly': sales },
    });
    expect(await stacks.changes('mails')).toEqual(before);
  });
});

test('a stack with another name takes the jobs of the former one over only when that is gone', async () => {
  const stacks = await deployed(APP, ['Shop', 'Mail']);
  const reason = await stacks.deploy('Store', APP.Shop!);
  expect(reason).toContain('orders-nightly is a job of the stack Shop, and not of Store');
  expect(await stacks.owners()).toEqual(OWNERS);
  await stacks.destroy('Shop');
  expect(await stacks.deploy('Store', APP.Shop!)).toBeUndefined();
  const store = 'orders of Store, target-Store-orders';
  expect(await stacks.owners()).toEqual({ ...OWNERS, 'orders-nightly': store, 'orders-unpaid': store });
});

test('a deployment of two programs of which one fails puts both back', async () => {
  const stacks = await deployed(APP, ['Shop', 'Mail']);
  const [before, count] = [await stacks.owners(), await stacks.changes('mails')];
  const reason = await stacks.deploy('Shop', {
    orders: [job('orders-nightly'), job('orders-new')],
    other: [job('mails-digest')],
  });
  expect(reason).toBe('mails-digest is a job of the stack Mail, and not of Shop');
  expect(await stacks.owners()).toEqual(before);
  expect(await stacks.changes('mails')).toEqual(count);
});
