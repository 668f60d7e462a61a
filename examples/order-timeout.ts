/**
 * Closes orders that are not paid in time: one `delay` job for each order, deleted when the payment arrives.
 */
import { example, say, startTarget, until } from './example';

/** Half an hour in a real shop. Short here, so that the example ends soon. */
const TIME_TO_PAY = '3s';

example(async (client) => {
  const orders = new Map([
    ['order-1', 'open'],
    ['order-2', 'open'],
  ]);
  const shop = await startTarget(client, (delivery) => {
    const { orderId } = delivery.json<{ orderId: string }>();
    // A delivery can arrive twice. Closing an order a second time changes nothing.
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
      say(`${orderId} must be paid within ${TIME_TO_PAY}`);
    }

    orders.set('order-1', 'paid');
    await client.jobs.delete('close-order-1');
    say('order-1 is paid: its job is deleted, so it will not be closed');

    await until('order-2 is closed', () => orders.get('order-2') === 'closed');
    if (orders.get('order-1') !== 'paid') throw new Error('order-1 was closed although it was paid');
    await client.jobs.delete('close-order-2');
  } finally {
    shop.stop();
  }
});
