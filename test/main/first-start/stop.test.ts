import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onTerminal } from '../../faces/cli/terminal.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { ask, logIn } from '../../service/talk.ts';
import { until } from '../../service/until.ts';
import { curlLine, FREE_PORTS, serve } from './serve.ts';

/** A port that another program occupies until it is freed. */
async function takenPort(t: TestContext): Promise<{ port: string; free: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const free = async () => {
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  t.after(free);
  return { port: String((server.address() as AddressInfo).port), free };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends the service with exit code 0, and its tickets are valid after the next start`, async (t) => {
    const env = { TESSERA_DATA: await temporaryFolder(t), TESSERA_ADMIN_PASSWORD: PASSWORD };
    const first = serve(t, { env });
    const ticket = await logIn(await first.url);
    first.kill(signal);
    assert.equal(await first.ended, 0);
    assert.match(first.log(), /"msg":"stopped"\}\n$/);

    const { url } = serve(t, { env });
    const { status } = await ask(`${await url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`);
    assert.equal(status, 200);
  });
}

test('a port in use is named with the mend, and ends the start with exit code 1', async (t) => {
  const { port } = await takenPort(t);
  for (const variable of ['TESSERA_PORT', 'TESSERA_METRICS_PORT']) {
    const env = { TESSERA_DATA: await temporaryFolder(t), [variable]: port };
    const { ended, told } = serve(t, { env });
    assert.equal(await ended, 1);
    assert.equal(
      told(),
      `cannot listen on 127.0.0.1 port ${port} (${variable}): another program, perhaps Tessera itself, listens there: stop it, or choose another port\n`,
    );
  }
});

const PORTS = [
  ['its port', 'TESSERA_PORT', '1'],
  ['the metrics port', 'TESSERA_METRICS_PORT', '1'],
  ['the port of its workers', 'TESSERA_PORT', '2'],
  ['the metrics port of its workers', 'TESSERA_METRICS_PORT', '2'],
] as const;

for (const [which, variable, workers] of PORTS) {
  test(`a first start that fails over ${which} makes no administrator, and the next one says how to log in`, async (t) => {
    const cwd = await temporaryFolder(t);
    const { port, free } = await takenPort(t);
    const env = { ...FREE_PORTS, TESSERA_WORKERS: workers, [variable]: port };
    const failed = onTerminal(t, 'tessera serve', { cwd, env });
    assert.equal(await failed.ended, 1);
    assert.doesNotMatch(failed.screen(), /administrator/);
    await free();
    const started = onTerminal(t, 'tessera serve', { cwd, env });
    const [, url] = await started.until(/^Tessera listens on (\S+)\n/m);
    const [, password] = /shown this once:\n\n {2}(\S+)\n/.exec(started.screen()) ?? [];
    assert.ok(url && password);
    assert.match(curlLine(started.screen()), new RegExp(password));
    await logIn(url, 'admin', password);
  });
}

for (const workers of ['1', '2']) {
  test(`without a metrics port that was given, a taken one is a warning, with TESSERA_WORKERS=${workers}`, async (t) => {
    const program = createServer();
    t.after(() => program.close());
    // If another program has it already, that is as good.
    await once(program.listen(9464, '127.0.0.1'), 'listening').catch(() => undefined);
    const env = {
      TESSERA_METRICS_PORT: '',
      TESSERA_DATA: await temporaryFolder(t),
      TESSERA_WORKERS: workers,
    };
    const { url, log } = serve(t, { env: { ...env, TESSERA_ADMIN_PASSWORD: PASSWORD } });
    await logIn(await url);
    const warnings = () => log().match(/"there are no health checks[^"]*"/g);
    await until('the log has come', () => log().includes('"listening"'));
    assert.deepEqual(warnings(), [
      '"there are no health checks and no metrics: cannot listen on 127.0.0.1 port 9464 (TESSERA_METRICS_PORT): another program, perhaps Tessera itself, listens there: stop it, or choose another port; 0 turns them off"',
    ]);
    const given = serve(t, {
      env: { ...env, TESSERA_DATA: await temporaryFolder(t), TESSERA_METRICS_HOST: '127.0.0.1' },
    });
    assert.equal(await given.ended, 1);
    assert.match(given.told(), /^cannot listen on 127\.0\.0\.1 port 9464 \(TESSERA_METRICS_PORT\)/);
  });
}
