/**
 * An order that is not paid in time is closed: one `delay` job for each order, deleted when the payment comes.
 */
import { example, say, startTarget, until } from './example';

/** Half an hour in a shop; short here, to be seen. */
const TIME_TO_PAY = '3s';

example(async (client) => {
  const orders = new Map([
    ['order-1', 'open'],
    ['order-2', 'open'],
  ]);
  const shop = await startTarget(client, (delivery) => {
    const { orderId } = delivery.json<{ orderId: string }>();
    // A delivery may come twice: closing what is closed already does nothing.
    if (orders.get(orderId) === 'open') orders.set(orderId, 'closed');
    say(`${orderId} is ${orders.get(orderId)}`);
  });
  try {
    for (const orderId of orders.keys()) {
      await client.jobs.put(`close-${orderId}`, {
        schedule: { type: 'delay', delay: TIME_TO_PAY },
        target: { type: 'http', url: shop.url },
        payload: { orderId },
      });
      say(`${orderId} is to be paid within ${TIME_TO_PAY}`);
    }

    orders.set('order-1', 'paid');
    await client.jobs.delete('close-order-1');
    say('order-1 is paid: once its job is deleted, it is not called');

    await until('order-2 is closed', () => orders.get('order-2') === 'closed');
    if (orders.get('order-1') !== 'paid') throw new Error('order-1 was paid, and closed all the same');
    await client.jobs.delete('close-order-2');
  } finally {
    shop.stop();
  }
});
