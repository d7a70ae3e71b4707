import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { forgedNames } from '../capabilities/proxy-gate/proxies/guarded.ts';
import { blocksIn, pageAt, partOf } from './page.ts';

const PAGE = pageAt('how-to/protect-a-service.md');
const PROXIES = ['nginx', 'Caddy', 'Traefik', 'Envoy'] as const;
const partAbout = (proxy: (typeof PROXIES)[number]) => partOf(PAGE, `## ${proxy}`);

test('a service that a proxy on another machine asks listens where that reaches it', () => {
  for (const proxy of PROXIES) {
    const text = partAbout(proxy);
    const [, asked] = /([\d.]+):8080/.exec(text) ?? assert.fail(`${proxy} asks no service`);
    const [, host = '127.0.0.1'] = /TESSERA_HOST=(\S+) .*bin\/tessera serve/.exec(text) ?? [];
    assert.equal(host, asked, proxy);
  }
});

test('a proxy that takes nothing but 200 for a yes is given that', () => {
  assert.match(partAbout('Envoy'), /ext_authz/);
  assert.match(partAbout('Envoy'), /^export .*TESSERA_GATE_ANSWERS=200$/m);
});

test('what Traefik removes before it copies the headers of the gate is every name that may be read as theirs', () => {
  const [, pattern = ''] = /authResponseHeadersRegex: "\(\?i\)(.+)"/.exec(partAbout('Traefik')) ?? [];
  const matches = new RegExp(pattern, 'i');
  for (const name of forgedNames()) assert.match(name, matches);
  for (const name of ['Authorization', 'X-Forwarded-For', 'My-X-Tessera-User'])
    assert.doesNotMatch(name, matches);
});

/** The blocks of YAML about a proxy, read. */
const yamlOn = (proxy: (typeof PROXIES)[number]) =>
  blocksIn(partAbout(proxy), 'yaml').map((block) => parse(block));

test('Traefik leads those who log in to the service itself, with no middleware on the way', () => {
  const [{ http }] = yamlOn('Traefik');
  const { rule, service, middlewares } = http.routers['log-in'];
  assert.ok(rule.startsWith(http.routers.app.rule) && rule.endsWith('&& PathPrefix(`/alfresco/`)'), rule);
  assert.equal(middlewares, undefined);
  const [server] = http.services[service].loadBalancer.servers;
  assert.equal(`${server.url}/gate`, http.middlewares.gate.forwardAuth.address);
});

test('Envoy leads those who log in to the service itself, unasked and with what they present, and nobody else', () => {
  const [{ http_filters: filters }, { routes }] = yamlOn('Envoy');
  const [logIn, other] = routes;
  const { name, typed_config: asked } = filters.find((filter: { name: string }) => /authz/.test(filter.name));
  assert.deepEqual(
    [logIn.match, logIn.route.cluster],
    [{ prefix: '/alfresco/' }, asked.http_service.server_uri.cluster],
  );
  assert.equal(logIn.typed_per_filter_config[name].disabled, true);
  assert.equal(logIn.request_headers_to_remove, undefined);
  assert.equal(other.typed_per_filter_config, undefined);
  assert.deepEqual(other.request_headers_to_remove, ['authorization']);
});
