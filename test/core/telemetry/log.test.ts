import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogLevel, openLog, writeLine } from '../../../src/core/telemetry/log.ts';

const TICKET = `TICKET_${'5'.repeat(40)}`;

function logged(
  level: LogLevel,
  write: (log: ReturnType<typeof openLog>) => void,
): Record<string, unknown>[] {
  const lines: string[] = [];
  write(openLog(level, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is one JSON object with its time, its level and its fields', () => {
  const [line, ...more] = logged('info', (log) => log.info({ id: 'a-1', two: 'l\ni\nnes' }, 'request'));
  assert.deepEqual(more, []);
  assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(
    { ...line, time: '' },
    { level: 30, time: '', id: 'a-1', two: 'l\ni\nnes', msg: 'request' },
  );
});

test('a log of a level leaves out lower levels', () => {
  const write = (log: ReturnType<typeof openLog>) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
  };
  const told = (level: LogLevel) => logged(level, write).map(({ msg }) => msg);
  assert.deepEqual(told('debug'), ['debug', 'info', 'warn', 'error']);
  assert.deepEqual(told('info'), ['info', 'warn', 'error']);
  assert.deepEqual(told('error'), ['error']);
  assert.deepEqual(told('silent'), []);
});

test('every line passes the redaction: messages, members, errors with their stacks and causes', () => {
  const cause = new Error(`cause ${TICKET}`);
  const lines = logged('debug', (log) => {
    log.info(`message ${TICKET}`);
    log.info({ deep: { er: [{ password: 's3cr3t', url: '/api/login?pw=s3cr3t' }] } }, 'member');
    log.error({ err: new Error(`fault with Basic c2VjcmV0czNjcjN0`, { cause }) }, 'fault');
    log.child({ authorization: 's3cr3t' }).warn('child');
  });
  assert.equal(lines.length, 4);
  assert.doesNotMatch(JSON.stringify(lines), /5555|s3cr3t|c2VjcmV0/);
});

test('writeLine writes the same as the log, at the same levels, and redacted', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2020, 1, 2) });
  const fields = { id: 'a-1', none: undefined, status: 200, ms: 0.5, user: 'l\ni"n\u00e9', reason: TICKET };
  for (const level of ['debug', 'info', 'warn', 'silent'] as const) {
    const quick = logged(level, (log) => writeLine(log, fields, 'request'));
    assert.deepEqual(
      quick,
      logged(level, (log) => log.info(fields, 'request')),
    );
    assert.equal(quick.length, level === 'debug' || level === 'info' ? 1 : 0);
    assert.doesNotMatch(JSON.stringify(quick), /5555/);
  }
});
