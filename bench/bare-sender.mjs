/** What a delivery costs at the least: the same HTTP client signs and posts the same bytes, and keeps nothing. */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';

const agent = new Agent();

// A bench that was killed leaves it alone.
process.once('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message.isHello) process.send({ isReady: true });
  else {
    send(message).then(
      () => process.send({ isDone: true }),
      (error) => process.send({ error: String(error) }),
    );
  }
});

async function send({ urls, secret, events, concurrency }) {
  let next = 0;
  const one = async () => {
    while (next < events.length) {
      const index = next;
      next += 1;
      const { id, body } = events[index];
      const answer = await request(urls[index % urls.length], {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'bare', ...sign(secret, id, body) },
        body,
      });
      if (answer.statusCode !== 200) throw new Error(`a receiver answered ${answer.statusCode}`);
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

function sign(secret, id, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = (text, encoding) => createHmac('sha256', secret).update(text).digest(encoding);
  return {
    'x-svc-signature': `sha256_${hmac(body, 'hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac(`${id}.${timestamp}.${body}`, 'base64')}`,
  };
}
