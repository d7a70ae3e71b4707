import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import type { Node } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import { SPACES_STORE } from '../../../../src/capabilities/action-definitions/domain/node.ts';
import type { Store } from '../../../../src/core/storage/store.ts';
import { exchange, type Heard } from '../../../core/http/scenario.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { logIn } from '../../../service/talk.ts';

/** A definition in JSON. */
export interface Shown {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly adhocPropertiesAllowed: string;
  readonly applicableTypes: readonly string[];
  readonly parameterDefinitions: readonly Readonly<Record<string, string | boolean>>[];
  readonly url: string;
}

/** A service and a logged-in user. Paths are sent as they are written. */
export interface Asking {
  readonly service: TestService;
  readonly ticket: string;
  get(path: string, headers?: OutgoingHttpHeaders): Promise<Heard>;
  /** The definitions listed at a path, which has to answer 200. */
  list(path: string, headers?: OutgoingHttpHeaders): Promise<Shown[]>;
  /** The names listed at a path. */
  names(path: string): Promise<string[]>;
}

export const ALL = '/api/rules/actiondefs';

/** The path of the list for a node, by the id of the node. */
export const ofNode = (id: string) => `/api/node/workspace/SpacesStore/${id}/actiondefs`;

/** The path of the list for a node, by its path as it stands in the URL. */
export const ofPath = (path: string) => `/api/path/workspace/SpacesStore/${path}/actiondefs`;

/** Uses a running service as `user`. */
export async function askingAs(service: TestService, user = 'admin'): Promise<Asking> {
  const ticket = await logIn(service.url, user);
  const get: Asking['get'] = (path, headers = {}) =>
    exchange(service.url, `GET ${path}`, { headers: { authorization: `Bearer ${ticket}`, ...headers } });
  const list: Asking['list'] = async (path, headers) => {
    const { status, text } = await get(path, headers);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  return { service, ticket, get, list, names: async (path) => (await list(path)).map(({ name }) => name) };
}

/** Starts a service and uses it as its administrator. */
export async function asking(t: TestContext, env: Record<string, string> = {}): Promise<Asking> {
  return askingAs(await startTestService(t, env));
}

/** A node in the usual store, below Sites by default. */
export function aNode(id: string, type: string, more: Partial<Node> = {}): Node {
  return { store: SPACES_STORE, id, type, name: id, parent: 'sites', ...more };
}

/** Stores these nodes. */
export function keep(store: Store, ...nodes: readonly Node[]): Promise<void> {
  return store.write(async (unit) => {
    for (const node of nodes) await unit.nodes.put(node);
  });
}
