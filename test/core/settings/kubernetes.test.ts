import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../../src/main/settings.ts';

/** The variables that Kubernetes sets in every pod for a Service `tessera` with two ports. */
const INJECTED = {
  TESSERA_SERVICE_HOST: '10.96.0.7',
  TESSERA_SERVICE_PORT: '8080',
  TESSERA_SERVICE_PORT_HTTP: '8080',
  TESSERA_SERVICE_PORT_METRICS: '9464',
  TESSERA_PORT_8080_TCP: 'tcp://10.96.0.7:8080',
  TESSERA_PORT_8080_TCP_PROTO: 'tcp',
  TESSERA_PORT_8080_TCP_PORT: '8080',
  TESSERA_PORT_8080_TCP_ADDR: '10.96.0.7',
  TESSERA_PORT_9464_TCP: 'tcp://10.96.0.7:9464',
  TESSERA_PORT_9464_TCP_PROTO: 'tcp',
  TESSERA_PORT_9464_TCP_PORT: '9464',
  TESSERA_PORT_9464_TCP_ADDR: '10.96.0.7',
};

test('variables that Kubernetes injects for a Service of this name are ignored', () => {
  const { settings } = readSettings({ flags: {}, env: INJECTED });
  assert.deepEqual(settings, readSettings({ flags: {}, env: {} }).settings);
});

test('the port of such a Service is one fault, which names the cause and the mend', () => {
  const env = { ...INJECTED, TESSERA_PORT: 'tcp://10.96.0.7:8080' };
  assert.throws(() => readSettings({ flags: {}, env }), {
    message:
      /a fault:\n- TESSERA_PORT: "tcp:\/\/10\.96\.0\.7:8080" was put there by Kubernetes .*enableServiceLinks: false[^\n]*$/,
  });
});

test('so is the port of a Service that is called as one of our other ports', () => {
  const env = { TESSERA_METRICS_PORT: 'tcp://10.96.0.8:9464' };
  assert.throws(() => readSettings({ flags: {}, env }), {
    message: /TESSERA_METRICS_PORT: .*enableServiceLinks: false/,
  });
});

test('a flag for the port takes precedence over what Kubernetes injects', () => {
  const env = { ...INJECTED, TESSERA_PORT: 'tcp://10.96.0.7:8080' };
  assert.equal(readSettings({ flags: { port: '8080' }, env }).settings.port, 8080);
});
