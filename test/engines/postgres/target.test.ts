import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownTarget, targetOf } from '../../../src/engines/postgres/target.ts';

test('a URL names user, password, hosts and database, with escapes where they are needed', () => {
  const target = targetOf('postgresql://a%40b:p%2Fw%3A@db1,db2:6432,[::1]:7000/my%20tickets?sslmode=disable');
  assert.equal(target.user, 'a@b');
  assert.equal(target.password, 'p/w:');
  assert.deepEqual(target.hosts, [
    { name: 'db1', port: 5432 },
    { name: 'db2', port: 6432 },
    { name: '::1', port: 7000 },
  ]);
  assert.equal(target.database, 'my tickets');
  assert.equal(shownTarget(target), '"my tickets" at db1:5432, db2:6432, [::1]:7000');
});

test('the folder of a socket is a host like any other', () => {
  const { hosts, tls } = targetOf('postgres://tessera@%2Fvar%2Frun%2Fpostgresql/tessera');
  assert.deepEqual(hosts, [{ name: '/var/run/postgresql', port: 5432 }]);
  assert.equal(tls, false);
});

test('a separate password is used in place of the one in the URL', () => {
  assert.equal(targetOf('postgres://a:b@localhost/c', { password: 'd' }).password, 'd');
  assert.equal(targetOf('postgres://a@localhost/c').password, '');
});

test('connections to servers on this machine are in plain text, others with TLS and their name checked, unless the URL says otherwise', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    assert.equal(targetOf(`postgres://a@${host}/c`).tls, false);
  for (const hosts of ['db.example.org', '10.0.0.1', 'localhost,db.example.org', '127.0.0.1.example.org'])
    assert.deepEqual(targetOf(`postgres://a@${hosts}/c`).tls, { rejectUnauthorized: true });
  assert.deepEqual(targetOf('postgres://a@localhost/c?sslmode=verify-full').tls, {
    rejectUnauthorized: true,
  });
  assert.equal(targetOf('postgres://a@db.example.org/c?sslmode=disable').tls, false);
  assert.deepEqual(targetOf('postgres://a@db/c?sslmode=require').tls, { rejectUnauthorized: false });
});

const FAULTY: Record<string, RegExp> = {
  'mysql://a:hidden@b/c': /not of its form: write one such as postgres:/,
  'postgres://a:hidden@b': /not of its form/,
  'postgres://a:hid@den@b/c': /not of its form/,
  'postgres://a:hidden@b/c/d': /not of its form/,
  'postgres://:hidden@b/c': /names no user/,
  'postgres://a:hidden@b/': /names no database/,
  'postgres://a:hidden@b:0/c': /"b:0" is no host/,
  'postgres://a:hidden@b:99999/c': /"b:99999" is no host/,
  'postgres://a:hidden@b,,d/c': /"" is no host/,
  'postgres://a:hidden@[db]/c': /"\[db\]" is no host/,
  'postgres://a:hidden%zz@b/c': /broken percent escape/,
  'postgres://a:hidden@b/c?host=d': /parameter "host": there are sslmode/,
  'postgres://a:hidden@b/c?sslmode=prefer': /sslmode "prefer" is none that is offered/,
  'postgres://a:hidden@b/c?sslmode=verify-ca': /verify-ca needs an sslrootcert/,
  'postgres://a:hidden@b/c?sslrootcert=/missing/ca.pem':
    /sslrootcert: the file \/missing\/ca.pem cannot be read/,
  'postgres://a:hidden@b/c?target_session_attrs=any': /can only be read-write/,
};
for (const [url, message] of Object.entries(FAULTY)) {
  test(`the URL ${url} is refused with the mend, and without its password`, () => {
    assert.throws(
      () => targetOf(url),
      (error) => {
        assert.ok(error instanceof Error);
        assert.equal(error.name, 'StoreUnavailable');
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden/);
        return true;
      },
    );
  });
}
