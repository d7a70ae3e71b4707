import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { RedisConnection } from '../../../src/engines/redis/connection.ts';
import { ErrorReply, encoded, type RedisReply, ReplyReader } from '../../../src/engines/redis/resp.ts';
import { targetOf } from '../../../src/engines/redis/target.ts';

/** A reply as a server writes it. */
function written(reply: RedisReply): string {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.message}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(written).join('')}`;
  return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
}

const { reply: anyReply } = fc.letrec<{ reply: RedisReply }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.constant(null),
    fc.constant(new ErrorReply('ERR no such thing')),
    fc.array(tie('reply'), { maxLength: 4 }),
  ),
}));

function readAll(
  chunks: readonly Buffer[],
  wantsBytes = false,
  pushes: (readonly RedisReply[])[] = [],
): RedisReply[] {
  const replies: RedisReply[] = [];
  const reader = new ReplyReader(
    (reply) => replies.push(reply),
    () => wantsBytes,
    (items) => pushes.push(items),
  );
  for (const chunk of chunks) reader.take(chunk);
  return replies;
}

test('replies are read as they were written, wherever their bytes are cut', () => {
  const cuts = fc.array(fc.nat(400), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(anyReply, { maxLength: 4 }), cuts, (replies, at) => {
      const bytes = Buffer.from(replies.map(written).join(''));
      const places = [0, ...at.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((to, index) => bytes.subarray(places[index], to));
      assert.deepEqual(readAll(chunks), replies);
    }),
  );
});

test('a command has the bytes of its words, and texts in UTF-8', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const [read] = readAll([Buffer.from(encoded(words), 'latin1')], true);
      assert.deepEqual(
        read,
        words.map((one) => Buffer.from(one as string)),
      );
    }),
  );
});

test('a simple string and a missing array are read, and other protocols are refused', () => {
  assert.deepEqual(readAll([Buffer.from('+OK\r\n*-1\r\n*0\r\n')]), ['OK', null, []]);
  assert.throws(() => readAll([Buffer.from('HTTP/1.1 400 Bad Request\r\n')]), /protocol/);
});

/** A connection to a server that says OK to the name of the connection, and hands over the bytes of what follows. */
async function connectionTo(t: TestContext, onBytes: (text: string, socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('+OK\r\n');
      socket.on('data', (bytes) => onBytes(String(bytes), socket));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const attempt = { target: targetOf(`redis://127.0.0.1:${port}`), isFirst: true };
  const connection = await RedisConnection.open({ name: '127.0.0.1', port }, attempt, 60_000);
  t.after(() => {
    connection.close();
    server.close();
  });
  return connection;
}

test('commands share a write while two earlier writes wait for their answers', async (t) => {
  const ping = encoded(['PING']);
  const pong = '+PONG\r\n';
  const came: string[] = [];
  const two = Promise.withResolvers<Socket>();
  const all = Promise.withResolvers<void>();
  const connection = await connectionTo(t, (text, socket) => {
    came.push(text);
    const pings = came.join('').length / ping.length;
    if (pings === 2) two.resolve(socket);
    if (pings === 5) all.resolve();
  });
  const first = connection.send(['PING']);
  await new Promise(setImmediate);
  const second = connection.send(['PING']);
  const socket = await two.promise;
  const later: Promise<unknown>[] = [];
  for (let n = 0; n < 3; n += 1) {
    later.push(connection.send(['PING']));
    await new Promise(setImmediate);
  }
  assert.equal(came.join(''), ping.repeat(2));
  socket.write(pong);
  assert.equal(await first, 'PONG');
  await all.promise;
  assert.equal(came.at(-1), ping.repeat(3));
  socket.write(pong.repeat(4));
  assert.deepEqual(await Promise.all([second, ...later]), ['PONG', 'PONG', 'PONG', 'PONG']);
});

test('a connection ends if its server sends no valid reply, or more replies than commands', async (t) => {
  for (const [answer, why] of [
    ['HTTP/1.1 400\r\n', /does not speak the protocol/],
    ['+OK\r\n+OK\r\n', /without a command/],
  ] as const) {
    const connection = await connectionTo(t, (_, socket) => socket.write(answer));
    const asked = connection.send(['PING']).catch((fault: Error) => fault);
    await asked;
    await assert.rejects(connection.send(['PING']), why);
  }
});

test('what a server sends by itself in RESP 3 stands among the replies, and answers no command', () => {
  const text =
    '+OK\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\na\r\n_\r\n>2\r\n$10\r\ninvalidate\r\n_\r\n%1\r\n+proto\r\n:3\r\n';
  for (let cut = 0; cut <= text.length; cut += 1) {
    const pushes: (readonly RedisReply[])[] = [];
    const chunks = [text.slice(0, cut), text.slice(cut)].map((part) => Buffer.from(part));
    assert.deepEqual(readAll(chunks, false, pushes), ['OK', null, ['proto', 3]]);
    const kind = Buffer.from('invalidate');
    assert.deepEqual(pushes, [
      [kind, [Buffer.from('a')]],
      [kind, null],
    ]);
  }
});
